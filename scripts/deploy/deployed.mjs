/** What is deployed now, asked of the platform. Changes nothing. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { migrationsUpTo } from '../database/release.mjs'
import { query } from '../database/target.mjs'
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

/** Tables that are neither the platform's nor the list of migrations. */
const TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' " +
  "AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name <> 'd1_migrations' LIMIT 3"

/** A database without the first migration belongs to something else if it has tables. */
async function foreignTables(database, environment) {
  const rows = await query({ database, remote: true, environment, stateDirectory: '' }, TABLES)
  return rows.map(({ name }) => name)
}

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
  const names = new Set(output.match(/\b\d{4}_\w+\.sql\b/g) ?? [])
  const [first] = migrationsUpTo()
  const foreign = names.has(first) ? await foreignTables(database, environment) : []
  return [...names].map((name) => ({
    name,
    errors: [
      ...(name === first && foreign.length > 0
        ? [`${database} is not a database of this service: it has ${foreign.join(', ')}`]
        : []),
      ...contractionErrors(name, readFileSync(path.join(root, 'migrations', name), 'utf8')),
    ],
  }))
}
