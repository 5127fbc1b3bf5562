/** The first workspace of a service, with its admin, a client and an API key. */
import { createClient, createKey, ensureMembers, ensureWorkspace } from '../../platform.mjs'
import { readJson, writeJson } from '../../secrets.mjs'

/** @typedef {import('../../platform.mjs').Credentials & { workspace_id: string, admin: string }} FirstWorkspace */

/**
 * What is known of it. Each credential is shown only once, so it is kept before the next step.
 *
 * @param {string} file
 * @param {string} id of the workspace that is meant
 * @returns {Promise<FirstWorkspace>} complete if it has an `api_key`
 * @throws {Error} when another one was made
 */
export async function keptWorkspace(file, id) {
  const kept = (await readJson(file)) ?? {}
  if (kept.workspace_id === undefined || kept.workspace_id === id) return kept
  throw new Error(`The first workspace is ${kept.workspace_id}; its credentials are in ${file}.`)
}

/**
 * Makes what is missing of the first workspace.
 *
 * @param {import('../../platform.mjs').Service} service
 * @param {{ id: string, admin: string }} workspace
 * @param {string} file in which the credentials are kept
 * @returns {Promise<FirstWorkspace>}
 */
export async function ensureFirstWorkspace(service, { id, admin }, file) {
  await ensureWorkspace(service, { workspace_id: id, name: id })
  await ensureMembers(service, id, [{ email: admin, role: 'admin' }])
  let kept = await keptWorkspace(file, id)
  // If an answer was lost, a client without a key is left, or a key that nobody knows. Neither opens anything.
  if (kept.client_id === undefined) {
    const { client_id, client_secret } = await createClient(service, 'First client')
    kept = { workspace_id: id, admin, client_id, client_secret, api_key: undefined }
    await writeJson(file, kept)
  }
  if (kept.api_key === undefined) {
    kept = { ...kept, api_key: await createKey(service, id, kept.client_id) }
    await writeJson(file, kept)
  }
  return kept
}

/**
 * The credentials as variables, with which a deployment checks the service.
 *
 * @param {Partial<FirstWorkspace>} workspace
 */
export const searchVariables = ({ client_id, client_secret, api_key }) => ({
  DCS_CLIENT_ID: client_id,
  DCS_CLIENT_SECRET: client_secret,
  DCS_API_KEY: api_key,
})
