import path from 'node:path'
import { parseArgs } from 'node:util'
import { runWrangler } from '../wrangler.mjs'
import { boundDatabases, databaseBindings, inEnvironment } from './bindings.mjs'

/**
 * @typedef {object} Target a D1 database, local or remote
 * @property {string} database its binding in `wrangler.toml`
 * @property {boolean} remote
 * @property {string | undefined} environment of `wrangler.toml`; production by default
 * @property {string} stateDirectory directory of a local database
 */

/**
 * Reads the arguments that backup and restore share.
 *
 * @param {'backup' | 'restore'} command
 * @param {string[]} args
 * @param {string[]} switches further options without a value
 * @returns {Omit<Target, 'database'> & { file: string, database: string | undefined, given: string[] }} `database` is undefined when
 *   all databases are meant
 * @throws {Error} with a message for the user
 */
export function parseTarget(command, args, switches = []) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      env: { type: 'string' },
      database: { type: 'string' },
      'persist-to': { type: 'string', default: path.join('.wrangler', 'state') },
      ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean', default: false }])),
    },
  })
  if (values.local && values.remote) throw new Error('Choose one of --local and --remote.')
  if (positionals.length !== 1) {
    throw new Error(
      `Name one file: npm run ${command} -- ${switches.map((name) => `[--${name}] `).join('')}[--local|--remote] [--env NAME] [--persist-to DIR] [--database BINDING] FILE`,
    )
  }
  const place = {
    environment: values.env,
    remote: values.remote,
    stateDirectory: path.resolve(values['persist-to']),
  }
  if (boundDatabases(values.env).length === 0) {
    throw new Error(`wrangler.toml binds no databases${inEnvironment(values.env)}.`)
  }
  if (values.database !== undefined) databaseIdOf({ ...place, database: values.database })
  const given = switches.filter((name) => values[name])
  return { file: path.resolve(positionals[0]), database: values.database, given, ...place }
}

/** An environment is always named: otherwise wrangler warns that there are several. */
const environmentOf = ({ environment = '' }) => ['--env', environment]

/** The arguments by which wrangler finds a target. */
export const wranglerPlace = (target) => [
  ...(target.remote ? ['--remote'] : ['--local', '--persist-to', target.stateDirectory]),
  ...environmentOf(target),
]

/**
 * Runs one read-only statement.
 *
 * @param {Target} target
 * @returns {Promise<any[]>} its rows
 */
export async function query(target, sql) {
  const output = await runWrangler([
    'd1',
    'execute',
    target.database,
    ...wranglerPlace(target),
    '--json',
    '--command',
    sql,
  ])
  return JSON.parse(output)[0].results
}

/** Runs every statement of a file in a remote database, in one transaction. */
export async function runFile(target, file) {
  await runWrangler(['d1', 'execute', target.database, ...wranglerPlace(target), '--yes', '--file', file])
}

/**
 * Applies the migrations in the folder beside a configuration.
 *
 * @param {Target} target
 * @param {string} configuration
 */
export async function applyMigrations(target, configuration) {
  const place = ['--config', configuration, ...wranglerPlace(target)]
  await runWrangler(['d1', 'migrations', 'apply', target.database, ...place])
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
    ...environmentOf(target),
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
 * @throws {Error} when `wrangler.toml` has no such binding
 */
export function databaseIdOf({ database, environment }) {
  const found = databaseBindings(environment).find(({ binding }) => binding === database)
  if (!found) throw new Error(`wrangler.toml binds no database as ${database}${inEnvironment(environment)}.`)
  return found.id
}

/**
 * Queries of a remote database, without parameters. The columns of a query must have different names.
 *
 * @param {Target} target
 * @returns {(sql: string) => Promise<unknown[][]>}
 */
export function readRemote(target) {
  return async (sql) => (await query(target, sql)).map(Object.values)
}
