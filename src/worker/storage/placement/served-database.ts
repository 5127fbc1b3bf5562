import { type SQL, sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import type { Database, DatabaseAccess } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'

/** A database and the predicate for the workspaces to process in it. */
export interface ServedDatabase extends Database {
  /** Condition: this workspace is to be processed. */
  serves(workspaceId: SQL): SQL
}

/** A database in a scheduled run, which processes active workspaces only. */
export interface ScheduledDatabase extends ServedDatabase {
  /** Condition: expired rows of this workspace are to be deleted. This applies in every state, except during a move. */
  expires(workspaceId: SQL): SQL
  /** Reads the states of the workspaces again if the last read is too old. Call it before each piece of work. */
  refresh(): Promise<void>
}

/** Time for which a run caches the states of workspaces. A move waits for longer than this and one task. */
const LOOK_MS = CREDENTIAL_CACHE_SECONDS * 1000

/** A workspace in another database that has left a copy in this one, or is being moved to it. */
const isCopy = (binding: string): SQL =>
  sql`${binding} in (old_database, move_target) and database_binding <> ${binding}`

const isNoneOf = (rows: readonly { id: string }[], workspaceId: SQL): SQL =>
  sql`${workspaceId} not in (select value from json_each(${JSON.stringify(rows.map(({ id }) => id))}))`

/** A database without the copies of workspaces in other databases. */
export async function withoutCopies({ control, catalog }: DatabaseAccess, binding: string): Promise<ServedDatabase> {
  const copies = await control.all(
    sql<{ id: string }>`select workspace_id as id from ${workspaces} where ${isCopy(binding)}`,
  )
  return { ...catalog(binding), serves: (workspaceId) => isNoneOf(copies, workspaceId) }
}

export async function scheduledDatabase({ control, catalog }: DatabaseAccess, binding: string) {
  const leftOut = () =>
    control.all(
      sql<{ id: string; moves: 0 | 1 }>`select workspace_id as id,
          move_target is not null or (${isCopy(binding)}) as moves
        from ${workspaces} where state not in ('active', 'erased') or ${isCopy(binding)}`,
    )
  let lookedAt = Date.now()
  let states = await leftOut()
  const scheduled: ScheduledDatabase = {
    ...catalog(binding),
    serves: (workspaceId) => isNoneOf(states, workspaceId),
    expires: (workspaceId) =>
      isNoneOf(
        states.filter(({ moves }) => moves === 1),
        workspaceId,
      ),
    refresh: async () => {
      const now = Date.now()
      if (now - lookedAt < LOOK_MS) return
      states = await leftOut()
      lookedAt = now
    },
  }
  return scheduled
}
