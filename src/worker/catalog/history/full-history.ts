import { logLine } from '#shared/errors/log-line'
import type { Warning } from '#shared/records/warnings'
import type { Catalog } from '#worker/catalog/catalog'
import { FULL_HISTORY } from '#worker/catalog/write/sql/commit'
import { type BatchRow, changedBy } from './batches'
import { purgeOldest } from './purge'

/** Versions that a write deletes at least, and in one step at most: some hundred milliseconds. */
const FEWEST = 1000
const MOST_PER_STEP = 10_000

/** Milliseconds after which a write starts no further step. The next write goes on. */
const LONGEST_PURGE_MS = 5000

/**
 * After a write that found the history of its workspace full: purges the oldest versions, twice as many as the write
 * may have added. So every write is accepted, however little the scheduled run can do, and the history stays bounded.
 *
 * @returns a warning for each catalog whose oldest restorable revision is now another one
 */
export async function makeRoom({ db, scope }: Catalog, batch: BatchRow): Promise<Warning[]> {
  if (batch.history_is_full !== 1) return []
  const revisions = new Map<string, number>()
  const until = Date.now() + LONGEST_PURGE_MS
  try {
    for (let left = Math.max(FEWEST, 2 * changedBy(batch)); left > 0 && Date.now() < until; ) {
      const most = Math.min(left, MOST_PER_STEP)
      const purged = await purgeOldest(db, scope.workspaceId, FULL_HISTORY, most)
      if (purged === undefined) break
      if (purged.revision > 0) revisions.set(purged.type, purged.revision)
      left -= most
    }
  } catch (error) {
    // The write was carried out. The next one makes room.
    logLine({
      workspace: scope.workspaceId,
      warning: 'history: no room was made',
      error: error instanceof Error ? error.name : 'unknown',
    })
  }
  return [...revisions].map(([type, revision]) => ({
    field: 'history',
    msg: `earlier versions take more than they may, and the oldest were forgotten: the oldest restorable revision of ${type} is ${revision}`,
  }))
}
