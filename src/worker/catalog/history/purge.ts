import { IDEMPOTENCY_DAYS } from '#shared/limits'
import {
  catalogsWithOldWrites,
  nextOldWrites,
  purgeVersionsOf,
  purgeWritesOf,
  versionsToPurge,
  workspacesToPurge,
} from '#worker/catalog/history/sql/purge'
import type { Database } from '#worker/storage/database'
import { inRounds } from '#worker/storage/rounds'

/**
 * Rows that one statement deletes. It takes some ten milliseconds, during which the database answers nothing else.
 */
const VERSIONS_PER_STEP = 1000

/**
 * Deletes the versions of records that ended before a time, and the oldest ones of each workspace whose history takes
 * more bytes than its quota and more than its records, until it takes less than one of the two. Each step also raises
 * the catalog's oldest restorable revision, in the same transaction, so that this revision is right at every moment.
 *
 * @param endedBefore milliseconds since the epoch
 * @returns number of steps, of which the last one of a workspace finds that nothing is left to do
 */
export async function purgeVersions(db: Database, endedBefore: number): Promise<number> {
  const workspaces = await db.all(workspacesToPurge(endedBefore))
  return inRounds(workspaces, async ({ workspace_id }) => {
    const [purged] = await db.all(versionsToPurge(workspace_id, endedBefore, VERSIONS_PER_STEP))
    if (purged) await db.batch(purgeVersionsOf(purged, VERSIONS_PER_STEP))
    return purged !== undefined
  })
}

/** Newest writes of a catalog that are always kept, those that changed nothing too. */
const KEPT_WRITES = 1000

/**
 * Milliseconds for which a write is kept in any case. After a lost answer, the service looks its write up within
 * seconds.
 */
const KEPT_WRITES_MS = 6 * 3600 * 1000

const DAY_MS = 24 * 3600 * 1000

/**
 * Purges writes that changed nothing, and those whose changes are no longer kept. Without that, a program that sends
 * one record a second would fill the database with them.
 *
 * @param now milliseconds since the epoch
 * @param kept newest writes of each catalog that are kept
 * @returns number of steps
 */
export async function purgeWrites(db: Database, now: number, kept = KEPT_WRITES): Promise<number> {
  const catalogs = await db.all(catalogsWithOldWrites(now - KEPT_WRITES_MS, kept))
  return inRounds(catalogs, async (catalog) => {
    const { n, until, after } = await db.one(nextOldWrites(catalog, VERSIONS_PER_STEP))
    const hasMore = n === VERSIONS_PER_STEP
    const end = until ?? after
    // The last step begins again with the oldest: what was kept may be purged then.
    if (end > 0) {
      const span = { after, until: end, keyedUntil: now - IDEMPOTENCY_DAYS * DAY_MS, next: hasMore ? end : 0 }
      await db.batch(purgeWritesOf(catalog.catalog_id, span))
    }
    return hasMore
  })
}
