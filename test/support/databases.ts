import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { type Budget, DEFAULT_BUDGET, moveWorkspace } from '#worker/platform/move/move'
import type { MoveState } from '#worker/platform/schemas'
import { catalogDatabase, controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'

/** The bindings of a service with three databases, all of which take new workspaces. */
export const several = { ...env, NEW_WORKSPACES_IN: '' }

/** The bindings of a service with one database. */
export const single = (({ DB_2, DB_3, ...rest }) => rest as typeof env)(env)

export const openControl = () => controlDatabase(env, new Meter())

export const execute = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

/** A database that answers nothing but this error. */
export const brokenDatabase = (message = 'broken'): D1Database => {
  const fail = () => Promise.reject(new Error(message))
  return { prepare: () => ({ bind: () => ({ all: fail }) }), batch: fail } as unknown as D1Database
}

/** One step of a move in each call. */
export const STEP_BY_STEP: Budget = { ms: 0, statements: 0 }

export const move = (
  workspaceId: string,
  target: string,
  budget: Budget = DEFAULT_BUDGET,
  bindings: typeof env = several,
): Promise<MoveState> => moveWorkspace(bindings, workspaceId, target, new Meter(), budget)

/** Calls until the workspace has arrived. */
export async function moveToTheEnd(workspaceId: string, target: string, budget?: Budget): Promise<number> {
  for (let calls = 1; calls < 1000; calls++) {
    if ((await move(workspaceId, target, budget)).state === 'done') return calls
  }
  throw new Error('the move does not end')
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
