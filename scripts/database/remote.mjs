/** A deployed database. Files of rows are wrangler's; everything else goes through the API. */
import { writeFile } from 'node:fs/promises'
import { postToAccount, runOnAccount } from '../cloudflare/account.mjs'
import { environmentArguments, readConfiguration } from '../configuration.mjs'
import { migrationStatements, missingMigrations, stateOf } from './migrate.mjs'

/**
 * @param {string} binding in `wrangler.toml`
 * @param {string} [environment] production by default
 * @param {string} [configuration] another file than `wrangler.toml`, to read with
 */
export function openRemote(binding, environment, configuration) {
  const { d1_databases } = readConfiguration(environment, configuration)
  const { database_id: id } = d1_databases.find((each) => each.binding === binding)
  const d1 = (words, options) =>
    runOnAccount(['d1', ...words, binding, '--remote', ...environmentArguments(environment), ...options])
  const query = (sql) => postToAccount(`/d1/database/${id}/query`, { sql })
  /** Runs one query, whose columns have different names. @returns {Promise<any[][]>} rows of values */
  const read = async (sql) => (await query(sql))[0].results.map(Object.values)
  /** The migrations that it does not have. @throws {Error} when it is of another release */
  const missing = async () => missingMigrations((await stateOf(read)).applied, binding)
  return {
    read,
    missing,

    /** Applies them, each in a transaction. */
    migrate: async () => {
      for (const name of await missing()) await query(migrationStatements(name))
    },

    /**
     * Writes the rows of some tables to a file, as SQL. Meanwhile other requests of the database wait.
     *
     * @param {string[]} tables named, because D1 otherwise refuses a database with a full-text index
     */
    exportTables: async (tables, file) => {
      // Made first, because it keeps its mode.
      await writeFile(file, '', { mode: 0o600 })
      const named = tables.flatMap((table) => ['--table', table])
      await d1(['export'], ['--skip-confirmation', '--no-schema', '--output', file, ...named])
    },

    /** Runs every statement of a file: all of them, or none. */
    importFile: (file) => d1(['execute'], ['--yes', '--file', file]),
  }
}
