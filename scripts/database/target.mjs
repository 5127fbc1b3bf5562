import path from 'node:path'
import { parseArgs } from 'node:util'
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

/**
 * The id of a target's database.
 *
 * @param {Target} target
 * @throws {Error} when `wrangler.toml` has no such binding
 */
export function databaseIdOf(target) {
  const { database, environment } = target
  const found = databaseBindings(environment).find(({ binding }) => binding === database)
  if (!found) throw new Error(`wrangler.toml binds no database as ${database}${inEnvironment(environment)}.`)
  return target.remote ? found.id : (found.previewId ?? found.id)
}
