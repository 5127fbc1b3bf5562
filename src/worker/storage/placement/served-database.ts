import { type SQL, sql } from 'drizzle-orm'
import type { Database, DatabaseAccess } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'

/** A database, and which of the workspaces that have rows in it some work is for. */
export interface ServedDatabase extends Database {
  /** Condition: the work is for this workspace. */
  serves(workspaceId: SQL): SQL
}

const SCHEDULED = sql`state not in ('active', 'erased')`

async function without({ control, catalog }: DatabaseAccess, binding: string, states: SQL): Promise<ServedDatabase> {
  const leftOut = await control.all(
    sql<{ id: string }>`select workspace_id as id from ${workspaces}
      where ${states} or ${binding} in (old_database, move_target) and database_binding <> ${binding}`,
  )
  const ids = JSON.stringify(leftOut.map(({ id }) => id))
  const serves = (workspaceId: SQL): SQL => sql`${workspaceId} not in (select value from json_each(${ids}))`
  return { ...catalog(binding), serves }
}

/** A database without the copies of workspaces that are elsewhere: those that a move left behind, or that arrive. */
export const withoutCopies = (access: DatabaseAccess, binding: string): Promise<ServedDatabase> =>
  without(access, binding, sql`false`)

/** A database as a scheduled run serves it: also without the workspaces that are not active. */
export const scheduledDatabase = (access: DatabaseAccess, binding: string): Promise<ServedDatabase> =>
  without(access, binding, SCHEDULED)
