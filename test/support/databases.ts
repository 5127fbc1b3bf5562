import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { boundDatabase, catalogDatabase, controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { forgetCached } from '#worker/storage/timed-cache'
import { type Query, WorkspaceMove } from '../../scripts/move/workspace-move.ts'

/** The bindings of a service with three databases, all of which accept new workspaces. */
export const several = { ...env, NEW_WORKSPACES_IN: '' }

/** The bindings of a service with one database. */
export const single = (({ DB_2, DB_3, ...rest }) => rest as typeof env)(env)

export const openControl = () => ({ ...controlDatabase(env, new Meter()), serves: () => sql`true` })

export const execute = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

/** A database that always fails with this error. */
export const brokenDatabase = (message = 'broken'): D1Database => {
  const fail = () => Promise.reject(new Error(message))
  return { prepare: () => ({ bind: () => ({ all: fail }) }), batch: fail } as unknown as D1Database
}

/** The database `DB_2`, with a fake size in bytes. It executes one statement at a time, without parameters. */
export const databaseOfSize = (bytes: number): D1Database => {
  const all = async (sql: string) => {
    const result = await env.DB_2.prepare(sql).all()
    return { ...result, meta: { ...result.meta, size_after: bytes } }
  }
  return { prepare: (sql: string) => ({ bind: () => ({ all: () => all(sql) }) }), batch: null } as unknown as D1Database
}

/** Statements through the bindings, as with D1's API. */
export const queryOf =
  (bindings: typeof env): Query =>
  async (binding, statement, params) => {
    const database = boundDatabase(bindings, binding)
    return (
      await database
        .prepare(statement)
        .bind(...params)
        .all<Record<string, unknown>>()
    ).results
  }

/** Moves a workspace as `npm run move` does, without the waits. */
export async function moveToTheEnd(workspaceId: string, target: string, query = queryOf(several)): Promise<void> {
  await new WorkspaceMove({ query, workspaceId, target, waitMs: 0, say: () => undefined }).run()
  forgetCached(workspaceId)
}

/** The database of a workspace according to the control database. */
export const databaseOf = (workspaceId: string): Promise<string | null> =>
  env.DB.prepare('select database_binding from workspaces where workspace_id = ?')
    .bind(workspaceId)
    .first<string>('database_binding')

export async function rowsIn(binding: 'DB' | 'DB_2' | 'DB_3', table: string): Promise<number> {
  const [row] = await catalogDatabase(several, binding, new Meter()).all<{ n: number }>(
    sql`select count(*) as n from ${sql.raw(table)}`,
  )
  return row!.n
}

export async function recordsOf(workspaceId: string, binding: 'DB' | 'DB_2' | 'DB_3'): Promise<number> {
  const [row] = await catalogDatabase(several, binding, new Meter()).all<{ n: number }>(
    sql`select count(*) as n from records
      where catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`,
  )
  return row!.n
}

/** Reads tables. @returns a function that restores those of a database */
export async function keepTables(tables: readonly string[], from: D1Database) {
  const kept = await from.batch<Record<string, unknown>>(tables.map((table) => from.prepare(`select * from ${table}`)))
  return async (to: D1Database): Promise<void> => {
    const statements = tables.flatMap((table, n) => [
      to.prepare(`delete from ${table}`),
      ...kept[n]!.results.map((row) => {
        const [names, marks] = [Object.keys(row), Object.keys(row).map(() => '?')]
        return to.prepare(`insert into ${table} (${names}) values (${marks})`).bind(...Object.values(row))
      }),
    ])
    await to.batch(statements)
  }
}

/**
 * Saves the present state of the catalogs. The returned function restores the database to it, like D1's Time Travel or
 * the restore of a backup.
 */
export async function bookmark(): Promise<() => Promise<void>> {
  const takeBack = await keepTables(['catalogs', 'records', 'record_versions', 'uploads'], env.DB)
  return () => takeBack(env.DB)
}
