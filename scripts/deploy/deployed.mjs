/** What is deployed now, asked of the platform. Changes nothing. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { account } from '../cloudflare/account.mjs'
import { openDeployed } from '../cloudflare/d1.mjs'
import { missingMigrations } from '../database/migrate.mjs'
import { contractionErrors } from '../migrations/expand.mjs'
import { root } from '../wrangler.mjs'

/** The API's code for a Worker that is not there. */
const NO_WORKER = 10007

/**
 * @typedef {{ id: string, bindings: { name: string, type: string, text?: string }[] }} Deployed a version of the Worker
 */

/**
 * The version that takes the most requests.
 *
 * @param {string} worker
 * @returns {Promise<Deployed | null>} null before the first deployment
 */
export async function deployedVersion(worker) {
  const { find, get } = await account()
  const script = `/workers/scripts/${worker}`
  const newest = (await find(`${script}/deployments`, NO_WORKER))?.deployments[0]
  if (newest === undefined) return null
  const [{ version_id: id }] = newest.versions.toSorted((a, b) => b.percentage - a.percentage)
  const { resources } = await get(`${script}/versions/${id}`)
  return { id, bindings: resources.bindings }
}

/**
 * The names of the secrets of a version.
 *
 * @param {Deployed | null} deployed
 */
export const secretsOf = (deployed) =>
  new Set((deployed?.bindings ?? []).filter(({ type }) => type === 'secret_text').map(({ name }) => name))

/**
 * The migrations that a database does not have.
 *
 * @param {string} id of the database
 * @returns {Promise<{ name: string, errors: string[] }[]>} with what the deployed Worker cannot live with
 */
export const pendingMigrations = async (id) =>
  (await missingMigrations(await openDeployed(id))).map((name) => ({
    name,
    errors: contractionErrors(readFileSync(path.join(root, 'migrations', name), 'utf8')),
  }))
