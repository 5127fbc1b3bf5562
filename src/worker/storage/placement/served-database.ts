import { type SQL, sql } from 'drizzle-orm'
import type { Database, DatabaseAccess } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'

/** A database, and the condition for the workspaces in it that some work is for. */
export interface ServedDatabase extends Database {
  /** Condition: the work is for this workspace. */
  serves(workspaceId: SQL): SQL
}

/** A database as a scheduled run serves it: without the workspaces that are not active. */
export interface ScheduledDatabase extends ServedDatabase {
  /** Condition: what expires in this workspace is deleted in every state, unless the workspace is being moved. */
  expires(workspaceId: SQL): SQL
}

/** A workspace that is elsewhere, and has left a copy in the database or is arriving in it. */
const isCopy = (binding: string): SQL =>
  sql`${binding} in (old_database, move_target) and database_binding <> ${binding}`

const isNoneOf = (ids: readonly string[]) => {
  const list = JSON.stringify(ids)
  return (workspaceId: SQL): SQL => sql`${workspaceId} not in (select value from json_each(${list}))`
}

/** A database without the copies of workspaces that are elsewhere. */
export async function withoutCopies({ control, catalog }: DatabaseAccess, binding: string): Promise<ServedDatabase> {
  const copies = await control.all(
    sql<{ id: string }>`select workspace_id as id from ${workspaces} where ${isCopy(binding)}`,
  )
  return { ...catalog(binding), serves: isNoneOf(copies.map(({ id }) => id)) }
}

export async function scheduledDatabase({ control, catalog }: DatabaseAccess, binding: string) {
  const leftOut = await control.all(
    sql<{
      id: string
      moves: 0 | 1
    }>`select workspace_id as id, move_target is not null or (${isCopy(binding)}) as moves
      from ${workspaces} where state not in ('active', 'erased') or ${isCopy(binding)}`,
  )
  const scheduled: ScheduledDatabase = {
    ...catalog(binding),
    serves: isNoneOf(leftOut.map(({ id }) => id)),
    expires: isNoneOf(leftOut.filter(({ moves }) => moves === 1).map(({ id }) => id)),
  }
  return scheduled
}
