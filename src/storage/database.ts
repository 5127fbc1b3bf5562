import { type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Env } from '#env'
import { meteredDatabase } from './d1'
import type { Meter } from './meter'

const dialect = new SQLiteAsyncDialect()

/**
 * A database as the rest of the service sees it: Drizzle for ordinary queries, batches of SQL for catalogs.
 */
export interface Database {
  orm: DrizzleD1Database
  /** Rows of one statement. */
  all<T>(query: SQL): Promise<T[]>
  /** Rows of each statement; all of them run in one transaction. */
  batch(queries: readonly SQL[]): Promise<Record<string, unknown>[][]>
}

function open(binding: D1Database, meter: Meter): Database {
  const database = meteredDatabase(binding, meter)
  // Statements by hand: Drizzle's batch() loses the parameters of raw SQL (drizzle-orm#2277).
  const prepare = (query: SQL): D1PreparedStatement => {
    const { sql: text, params } = dialect.sqlToQuery(query)
    return database.prepare(text).bind(...params)
  }
  return {
    orm: drizzle(database),
    all: async <T>(query: SQL) => (await prepare(query).all<T>()).results,
    batch: async (queries) =>
      (await database.batch<Record<string, unknown>>(queries.map(prepare))).map((result) => result.results),
  }
}

/** Where workspaces, clients and keys live. */
export const controlDatabase = (env: Env, meter: Meter): Database => open(env.DB, meter)

/**
 * Where a workspace's catalogs live. The one place that knows: further databases are added by binding them in
 * `wrangler.toml` and naming the binding in `workspaces.database_binding`.
 *
 * @param binding name of the D1 binding, as stored with the workspace
 * @throws Error when there is no such binding
 */
export function catalogDatabase(env: Env, binding: string, meter: Meter): Database {
  const database = (env as unknown as Record<string, unknown>)[binding]
  if (typeof database !== 'object' || database === null || !('prepare' in database)) {
    throw new Error(`no D1 database is bound as ${binding}`)
  }
  return open(database as D1Database, meter)
}

/** A number that SQLite treats as an integer: D1 binds every JavaScript number as REAL. */
export const int = (value: number): SQL => sql`cast(${value} as integer)`
