import path from 'node:path'
import { parseArgs } from 'node:util'
import { runWrangler } from '../wrangler.mjs'
import { databaseBindings } from './bindings.mjs'

/**
 * @typedef {object} Target a D1 database, local or remote
 * @property {string} database its binding in `wrangler.toml`
 * @property {boolean} remote
 * @property {string} stateDirectory directory of a local database
 */

/**
 * Reads the arguments that backup and restore share: `[--local|--remote] [--persist-to DIR] [--database BINDING] FILE`.
 *
 * @param {string[]} args
 * @returns {Omit<Target, 'database'> & { file: string, database: string | undefined }} `database` is undefined when
 *   all databases are meant
 * @throws {Error} with a message for the user
 */
export function parseTarget(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      database: { type: 'string' },
      'persist-to': { type: 'string', default: path.join('.wrangler', 'state') },
    },
  })
  if (values.local && values.remote) throw new Error('Choose one of --local and --remote.')
  if (positionals.length !== 1) throw new Error('Name one file: [--local|--remote] [--persist-to DIR] FILE')
  return {
    file: path.resolve(positionals[0]),
    database: values.database,
    remote: values.remote,
    stateDirectory: path.resolve(values['persist-to']),
  }
}

const place = ({ remote, stateDirectory }) =>
  remote ? ['--remote'] : ['--local', '--persist-to', stateDirectory]

/**
 * Runs one read-only statement.
 *
 * @param {Target} target
 * @returns {Promise<Record<string, unknown>[]>} its rows
 */
export async function query(target, sql) {
  const output = await runWrangler([
    'd1',
    'execute',
    target.database,
    ...place(target),
    '--json',
    '--command',
    sql,
  ])
  return JSON.parse(output)[0].results
}

/** Runs every statement of a file in a remote database, in one transaction. */
export async function runFile(target, file) {
  await runWrangler(['d1', 'execute', target.database, ...place(target), '--yes', '--file', file])
}

export async function applyMigrations(target) {
  await runWrangler(['d1', 'migrations', 'apply', target.database, ...place(target)])
}

/**
 * Writes the rows of some tables of a remote database to a file, as SQL. The export blocks the database: other
 * requests wait.
 *
 * @param {Target} target
 * @param {string[]} tables
 */
export async function exportRemote(target, tables, file) {
  await runWrangler([
    'd1',
    'export',
    target.database,
    '--remote',
    '--no-schema',
    '--skip-confirmation',
    '--output',
    file,
    ...tables.flatMap((name) => ['--table', name]),
  ])
}

/**
 * The id of a target's database.
 *
 * @param {Target} target
 * @throws {Error} when `wrangler.toml` has no such binding at its top level
 */
export function databaseIdOf({ database }) {
  const found = databaseBindings().find(({ binding }) => binding === database)
  if (!found) throw new Error(`wrangler.toml binds no database as ${database}.`)
  return found.id
}
