/** What is deployed now, asked of the platform. Changes nothing. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { contractionErrors } from '../migrations/expand.mjs'
import { root, runWrangler } from '../wrangler.mjs'

/** The answer of the platform for a Worker that was never deployed. */
const NO_WORKER = /\bcode: 10007\b|has no deployments/

/** @typedef {{ id: string, bindings: { name: string, type: string, text?: string }[] }} Deployed a version of the Worker */

/**
 * The version that takes the most requests.
 *
 * @param {string[]} environment the arguments that name it
 * @returns {Promise<Deployed | null>} null before the first deployment
 */
export async function deployedVersion(environment) {
  let status
  try {
    status = JSON.parse(await runWrangler(['deployments', 'status', '--json', ...environment]))
  } catch (error) {
    if (NO_WORKER.test(error.message)) return null
    throw error
  }
  const [{ version_id: id }] = status.versions.toSorted((a, b) => b.percentage - a.percentage)
  const version = JSON.parse(await runWrangler(['versions', 'view', id, '--json', ...environment]))
  return { id, bindings: version.resources.bindings }
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
 * @param {string} database its binding
 * @param {string | undefined} environment its name
 * @returns {Promise<{ name: string, errors: string[] }[]>}
 */
export async function pendingMigrations(database, environment) {
  const place = ['--remote', '--env', environment ?? '']
  const output = await runWrangler(['d1', 'migrations', 'list', database, ...place])
  return [...new Set(output.match(/\b\d{4}_\w+\.sql\b/g) ?? [])].map((name) => ({
    name,
    errors: contractionErrors(name, readFileSync(path.join(root, 'migrations', name), 'utf8')),
  }))
}
