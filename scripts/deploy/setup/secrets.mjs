/**
 * Data of an environment that only this machine knows: the service's secrets, and the credentials of its first
 * workspace.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { newSecrets, readJson, readSecrets, SECRET_NAMES } from '../../secrets.mjs'
import { root } from '../../wrangler.mjs'
import { secretsOf } from '../state.mjs'

/** The directory of both. Git ignores it. */
const directoryOf = (environment = 'production') => path.join(root, '.setup', environment)

export const makeDirectory = (environment) => mkdirSync(directoryOf(environment), { recursive: true, mode: 0o700 })

/** @param {string | undefined} environment */
export const secretsFile = (environment) => path.join(directoryOf(environment), 'secrets.env')

/** @param {string | undefined} environment */
export const workspaceFile = (environment) => path.join(directoryOf(environment), 'first-workspace.json')

/** @returns {string | undefined} the operator's token, if this machine knows it */
export const operatorToken = (environment) =>
  readSecrets(secretsFile(environment)).PLATFORM_ADMIN_TOKEN ?? process.env.PLATFORM_ADMIN_TOKEN

/**
 * Stops if it is unclear which secrets are right. Changes nothing.
 *
 * @param {string | undefined} environment
 * @param {import('../state.mjs').Deployed | null} deployed
 * @param {Record<string, any>} config of the environment
 * @param {boolean} hasData whether a database has tables of this service
 * @returns {Record<string, string>} the secrets to send with the Worker; none if it has them, because they are never
 *   replaced. New secrets are created later; those returned here are placeholders of the same form
 */
export function secretsToSend(environment, deployed, { vars }, hasData) {
  const file = secretsFile(environment)
  const secrets = readSecrets(file)
  const present = secretsOf(deployed)
  const missing = SECRET_NAMES.filter((name) => !present.has(name))
  if (missing.length === 0) {
    if (operatorToken(environment) !== undefined) return {}
    throw new Error(
      `The service has secrets that are not in ${file}. Put the operator's token into the variable ` +
        'PLATFORM_ADMIN_TOKEN, and run the command again.',
    )
  }
  if (missing.length < SECRET_NAMES.length) {
    const commands = missing.map((name) => `npx wrangler secret put ${name} --env "${environment ?? ''}"`)
    throw new Error(`The deployed Worker has some of its secrets, but not all. Set them:\n${commands.join('\n')}`)
  }
  if (hasData && !secrets.MASTER_KEY) {
    throw new Error(
      'A database has the tables of a service whose MASTER_KEY is not known here. A new one could not decrypt ' +
        `what is in them. Put the old MASTER_KEY into ${file} (MASTER_KEY=…), readable only by you, and run the ` +
        'command again.',
    )
  }
  if (vars.OIDC_ISSUER && !secrets.OIDC_CLIENT_SECRET) {
    throw new Error(
      `wrangler.toml names a login provider. Put its client secret into ${file} (OIDC_CLIENT_SECRET=…), readable ` +
        'by you only, and run the command again.',
    )
  }
  return { ...newSecrets(), ...secrets }
}

/** @typedef {import('../../workspace.mjs').Credentials & { workspace_id: string, admin: string }} FirstWorkspace */

/**
 * The stored data of the first workspace.
 *
 * @param {string} id of the expected workspace
 * @returns {Promise<Partial<FirstWorkspace>>} complete if it contains an `api_key`
 * @throws {Error} if another workspace was created
 */
export async function readWorkspace(environment, id) {
  const file = workspaceFile(environment)
  const workspace = (await readJson(file)) ?? {}
  if (workspace.workspace_id === undefined || workspace.workspace_id === id) return workspace
  throw new Error(`The first workspace is ${workspace.workspace_id}; its credentials are in ${file}.`)
}

/**
 * The credentials of the first workspace as variables for the service check of a deployment.
 *
 * @param {Partial<FirstWorkspace>} workspace
 */
export const searchVariables = ({ client_id, client_secret, api_key }) => ({
  DCS_CLIENT_ID: client_id,
  DCS_CLIENT_SECRET: client_secret,
  DCS_API_KEY: api_key,
})
