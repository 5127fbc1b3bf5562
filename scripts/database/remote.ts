/**
 * A deployed database. Changes go through wrangler, queries through the API, because wrangler takes seconds to start.
 */
import { callAccount, requireOk, runOnAccount } from '../cloudflare/account.mjs'
import { CONFIGURATION, environmentArguments, readConfiguration } from '../configuration.mjs'
import type { Run } from './units.ts'

/** A statement that changes nothing, and so may be repeated. */
const READS = /^\s*(?:select|with)\b/i

/**
 * @param binding in `wrangler.toml`
 * @param environment production by default
 * @param configuration instead of `wrangler.toml`
 */
export function openRemote(binding: string, environment?: string, configuration = CONFIGURATION) {
  const { d1_databases } = readConfiguration(environment, configuration)
  const id = d1_databases.find((each: { binding: string }) => each.binding === binding)?.database_id
  const d1 = (words: string[], options: string[]) =>
    runOnAccount([
      ...['d1', ...words, binding, '--remote', '--config', configuration],
      ...environmentArguments(environment),
      ...options,
    ])
  const query: Run = async (sql, params) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sql, params }),
    }
    const response = await callAccount(`/d1/database/${id}/query`, init, READS.test(sql))
    const { result } = await (await requireOk(response, `a query of ${binding}`)).json()
    return result[0].results
  }
  return {
    query,

    /** Runs one query, whose column names must be distinct. @returns rows of values */
    read: async (sql: string): Promise<unknown[][]> => (await query(sql, [])).map(Object.values),

    /** Applies the missing migrations, each in a transaction. */
    migrate: () => d1(['migrations', 'apply'], []),

    /** Runs all statements of a file, or none. */
    importFile: (file: string) => d1(['execute'], ['--yes', '--file', file]),
  }
}

export type Remote = ReturnType<typeof openRemote>
