import { type SQL, sql } from 'drizzle-orm'
import { HISTORY_GROWTH, HISTORY_LIMIT, LARGE_CHANGE_RECORDS } from '#shared/limits'
import { CHANGED_BY } from '#worker/catalog/write/result'
import { int, stopIf } from '#worker/storage/database'
import type { WriteSql } from './fragments'

/** The size of a workspace's history, its limit, and statements that stop changes beyond it. */

/** Bytes of a write until its changes are purged: its row and its index entries. Each revision is one write. */
export const WRITE_BYTES = sql.raw('500')

/** Bytes of an earlier version in addition to `versionBytes`: its keys and index entries. */
const VERSION_BYTES = sql.raw('100')

/** Bytes of a workspace's history: earlier versions, and the writes that made them. A sum over `catalogs`. */
export const historyBytes = sql`coalesce(sum(version_bytes) + ${WRITE_BYTES} * sum(revision - history_from), 0)`

/** The byte quota, for a row of `catalogs`. */
const QUOTA_BYTES = sql.raw('(select bytes from workspace_quotas where workspace_id = catalogs.workspace_id)')

/** Bytes of history beyond which the oldest versions are purged: the quota, or the records if they are larger. */
export const purgedBeyond = sql`max(sum(stored_bytes), ${QUOTA_BYTES})`

/** A limit that grows with the quota. @param quota in bytes; what the purge leaves must be within the limit */
const limitOf = ({ leastBytes, quotas }: Record<'leastBytes' | 'quotas', number>, quota: SQL) =>
  sql`max(${int(leastBytes)}, cast(${quotas} * ${quota} as integer))`

/**
 * Stops a change if the workspace's history exceeds its limit, or grows faster than the scheduled run can purge it. The
 * change itself does not count, so that a large one eventually succeeds.
 *
 * @param condition whether the limit applies to the change
 */
function stopIfHistoryIsFull(write: WriteSql, condition: SQL): SQL[] {
  const { batchId, keepsVersions, writtenAt } = write
  const { workspaceId } = write.catalogKey
  if (!keepsVersions) return []
  const stop = (what: string, used: SQL, allowed: SQL) =>
    stopIf(
      sql`${sql.raw(`'history:${what}:'`)} || used || ':' || allowed`,
      sql`(select ${used} as used, ${allowed} as allowed
        from catalogs where workspace_id = ${workspaceId} and ${condition}) where used > allowed`,
    )
  const recently = sql`(select coalesce(sum(ended_bytes + ${VERSION_BYTES} * (${CHANGED_BY} - inserted)), 0)
    from catalogs own_catalog cross join uploads indexed by uploads_written
      on uploads.catalog_id = own_catalog.catalog_id
        and uploads.written_at > ${writtenAt} - ${int(HISTORY_GROWTH.minutes * 60_000)}
    where own_catalog.workspace_id = ${workspaceId} and upload_id <> ${batchId})`
  return [
    stop('size', historyBytes, limitOf(HISTORY_LIMIT, purgedBeyond)),
    stop('growth', recently, limitOf(HISTORY_GROWTH, QUOTA_BYTES)),
  ]
}

/** Runs before the work of a restore. */
export const stopRestoreIfHistoryIsFull = (write: WriteSql): SQL[] => stopIfHistoryIsFull(write, sql`true`)

/** Runs after a write's work, when the number of its changes is known, but before its versions are counted. */
export const stopLargeIfHistoryIsFull = (write: WriteSql): SQL[] =>
  stopIfHistoryIsFull(
    write,
    sql`exists (select 1 from uploads where ${write.row} and ${CHANGED_BY} > ${int(LARGE_CHANGE_RECORDS)})`,
  )
