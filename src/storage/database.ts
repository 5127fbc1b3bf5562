import { type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Env } from '#env'
import { boundDatabase } from '#storage/placement/bound-databases'
import { type Patience, retrying } from './d1'
import type { Meter } from './meter'
import { drizzleDriver, type RunStatements, runOn, type Statement, statementOf } from './statements'

const dialect = new SQLiteAsyncDialect()

/**
 * A database as the rest of the service sees it: Drizzle for ordinary queries, batches of SQL for catalogs.
 */
export interface Database {
  orm: DrizzleD1Database
  /** Rows of one statement. */
  all<T>(query: SQL | Statement): Promise<T[]>
  /** Rows of each statement; all of them run in one transaction. */
  batch(queries: readonly (SQL | Statement)[]): Promise<Record<string, unknown>[][]>
  /**
   * Runs a write that is safe to repeat, and repeats it while D1 answers with a transient fault and the request has
   * time; see `retrying` in `d1.ts`.
   */
  retrying<T>(write: () => Promise<T>): Promise<T>
}

// Statements by hand: Drizzle's batch() loses the parameters of raw SQL (drizzle-orm#2277).
export const prepare = (query: SQL): Statement => {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return statementOf(text, params)
}

const prepared = (query: SQL | Statement): Statement => ('params' in query ? query : prepare(query))

export const databaseOver = (run: RunStatements, patience?: Patience): Database => ({
  orm: drizzle(drizzleDriver(run)),
  all: async <T>(query: SQL | Statement) => (await run([prepared(query)]))[0]!.results as T[],
  batch: async (queries) =>
    (await run(queries.map(prepared))).map(({ results }) => results as Record<string, unknown>[]),
  retrying: (write) => retrying(write, { patience }),
})

/** @param patience of the request, for its writes */
export const controlDatabase = (env: Env, meter: Meter, patience?: Patience): Database =>
  databaseOver(runOn(env.DB, meter), patience)

/**
 * A database that holds workspaces, by its binding. Only for jobs over a whole database and for moves. Code that acts
 * for one workspace uses `workspaceDatabase`, which finds the database that holds the workspace now.
 *
 * @param binding name of the D1 binding
 * @throws Error when there is no such binding
 */
export const catalogDatabase = (env: Env, binding: string, meter: Meter): Database =>
  databaseOver(runOn(boundDatabase(env, binding), meter))

/** The databases of the service as one request or one run uses them, for code that acts on several of them. */
export const databaseAccess = (env: Env, meter: Meter) => ({
  meter,
  control: controlDatabase(env, meter),
  catalog: (binding: string) => catalogDatabase(env, binding, meter),
})

export type DatabaseAccess = ReturnType<typeof databaseAccess>

/** A number that SQLite treats as an integer: D1 binds every JavaScript number as REAL. */
export const int = (value: number): SQL => sql`cast(${value} as integer)`
