/** The first workspace of a service, with its admin, a client and an API key. */
import path from 'node:path'
import { keep, readKept } from '../../kept-file.mjs'
import {
  accessToken,
  clientsNamed,
  createClient,
  createKey,
  ensureMembers,
  ensureWorkspace,
} from '../../platform.mjs'

const CLIENT = 'First client'

/**
 * Makes what is missing. The credentials are shown only once, so each is kept before the next step.
 *
 * @param {import('../../platform.mjs').Service} service
 * @param {{ id: string, admin: string }} workspace
 * @param {string} directory in which the credentials are kept
 * @param {(text: string) => void} say
 * @returns {Promise<{ credentials: import('../../platform.mjs').Credentials, file: string }>}
 */
export async function ensureFirstWorkspace(service, { id, admin }, directory, say) {
  const file = path.join(directory, 'first-workspace.json')
  let kept = await readKept(file)
  if (kept && kept.workspace_id !== id) {
    throw new Error(`The first workspace is ${kept.workspace_id}; its credentials are in ${file}.`)
  }
  await ensureWorkspace(service, { workspace_id: id, name: id })
  await ensureMembers(service, id, [{ email: admin, role: 'admin' }])
  if (kept === undefined) {
    for (const { client_id } of await clientsNamed(service, CLIENT)) {
      say(
        `There is already a client "${CLIENT}", ${client_id}. Its secret is not known here: a new client is made.`,
      )
    }
    kept = { workspace_id: id, ...(await createClient(service, CLIENT)) }
    await keep(file, kept)
  }
  // If the answer was lost, a key is left that nobody knows.
  if (kept.api_key === undefined) {
    kept = { ...kept, api_key: await createKey(service, id, kept.client_id) }
    await keep(file, kept)
  }
  const { workspace_id: _, ...credentials } = kept
  await accessToken(service, credentials)
  return { credentials, file }
}
