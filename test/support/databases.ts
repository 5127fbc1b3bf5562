import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { type Budget, DEFAULT_BUDGET, moveWorkspace } from '#platform/move/move'
import type { MoveState } from '#platform/schemas'
import { catalogDatabase } from '#storage/database'
import { Meter } from '#storage/meter'
import { atDistance } from '../../scripts/local/distance.mjs'

/** The bindings of a service with three databases, all of which take new workspaces. */
export const several = { ...env, NEW_WORKSPACES_IN: '' }

/** The bindings of a service with one database. */
export const single = (({ DB_2, DB_3, ...rest }) => rest as typeof env)(env)

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

/** Rows of a table in one database. */
export async function rowsIn(binding: 'DB' | 'DB_2' | 'DB_3', table: string): Promise<number> {
  const [row] = await catalogDatabase(several, binding, new Meter()).all<{ n: number }>(
    sql`select count(*) as n from ${sql.raw(table)}`,
  )
  return row!.n
}

/** Records of one workspace in one database. */
export async function recordsOf(workspaceId: string, binding: 'DB' | 'DB_2' | 'DB_3'): Promise<number> {
  const [row] = await catalogDatabase(several, binding, new Meter()).all<{ n: number }>(
    sql`select count(*) as n from records
      where catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`,
  )
  return row!.n
}

/** The error of a dead process. */
export class Killed extends Error {}

/**
 * Bindings of a process that dies: its n-th call to a database is its last one.
 *
 * @param after whether that call is still carried out
 */
export function dyingAt(n: number, after: boolean): typeof env & { died: () => boolean } {
  let calls = 0
  const called = async <T>(run: () => Promise<T>): Promise<T> => {
    calls++
    if (calls > n || (calls === n && !after)) throw new Killed()
    const result = await run()
    if (calls === n) throw new Killed()
    return result
  }
  return { ...atDistance(several, called), died: () => calls >= n }
}
