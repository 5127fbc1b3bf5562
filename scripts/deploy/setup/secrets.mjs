/** The secrets of a deployed service, in a file of their own for each environment. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { query } from '../../database/target.mjs'
import { ensureDevVars, SECRET_NAMES } from '../../local/dev-vars.mjs'
import { root } from '../../wrangler.mjs'
import { secretsOf } from '../deployed.mjs'

/** The directory of what only this machine knows of an environment. Git ignores it. */
export function keptDirectory(environment = 'production') {
  const directory = path.join(root, '.setup', environment)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

/** @param {string | undefined} environment */
export const secretsFile = (environment) => path.join(keptDirectory(environment), 'secrets.env')

/**
 * The operator's token of a deployed service.
 *
 * @param {string | undefined} environment
 * @throws {Error} when it is not known here
 */
export function operatorToken(environment) {
  const file = secretsFile(environment)
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const token = process.env.PLATFORM_ADMIN_TOKEN ?? kept.PLATFORM_ADMIN_TOKEN
  if (token !== undefined) return token
  throw new Error(
    `The service has its secrets, and they are not in ${file}. Put the operator's token into the variable ` +
      'PLATFORM_ADMIN_TOKEN, and call this again.',
  )
}

const TABLES = "SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'workspaces'"

/** What the old key sealed, a new one does not open. */
async function requireNoData(environment, file) {
  const [{ tables }] = await query({ database: 'DB', remote: true, environment, stateDirectory: '' }, TABLES)
  if (tables === 0) return
  throw new Error(
    `The database DB has the tables of a service whose MASTER_KEY is not known here, and a new one would not open what ` +
      `is in them. Put the old MASTER_KEY into ${file} (MASTER_KEY=…), readable by you only, and call this again.`,
  )
}

/**
 * Makes sure that there are secrets: those of the deployed Worker, or new ones in the file. Never replaces one.
 *
 * @param {string | undefined} environment
 * @param {Record<string, any>} config of the environment
 * @param {import('../deployed.mjs').Deployed | null} deployed
 * @param {boolean} fresh whether all databases were made just now
 * @returns {Promise<{ file: string, send: boolean, created: string[] }>} `send` if the
 *   Worker does not have them yet
 * @throws {Error} when it is not known which secrets are right
 */
export async function ensureSecrets(environment, config, deployed, fresh) {
  const file = secretsFile(environment)
  const present = secretsOf(deployed)
  const missing = SECRET_NAMES.filter((name) => !present.has(name))
  if (missing.length === 0) return { file, send: false, created: [] }
  if (missing.length < SECRET_NAMES.length) {
    const commands = missing.map((name) => `npx wrangler secret put ${name} --env "${environment ?? ''}"`)
    throw new Error(
      `The deployed Worker has some of its secrets, but not all. Set them:\n${commands.join('\n')}`,
    )
  }
  if (!existsSync(file) && !fresh) await requireNoData(environment, file)
  const { vars, created } = ensureDevVars(file)
  if (config.vars.OIDC_ISSUER && !vars.OIDC_CLIENT_SECRET && !present.has('OIDC_CLIENT_SECRET')) {
    throw new Error(
      `wrangler.toml names a login provider. Put its client secret into ${file} (OIDC_CLIENT_SECRET=…), and call this again.`,
    )
  }
  return { file, send: true, created }
}
