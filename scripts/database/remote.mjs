/** A deployed database: wrangler changes it. It is read through the API, because wrangler takes seconds to start. */
import { writeFile } from 'node:fs/promises'
import { callAccount, requireOk, runOnAccount } from '../cloudflare/account.mjs'
import { environmentArguments, readConfiguration } from '../configuration.mjs'

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
  return {
    /** Runs one query, whose columns have different names. @returns {Promise<any[][]>} rows of values */
    read: async (sql) => {
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ sql }),
      }
      const response = await callAccount(`/d1/database/${id}/query`, init)
      const { result } = await (await requireOk(response, `a query of ${binding}`)).json()
      return result[0].results.map(Object.values)
    },

    /** Applies the migrations that it does not have, each in a transaction. */
    migrate: () => d1(['migrations', 'apply'], []),

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

/** @typedef {ReturnType<typeof openRemote>} Remote */
