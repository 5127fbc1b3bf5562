import { type SQL, sql } from 'drizzle-orm'
import { recordTypes } from '#shared/records/record-types'
import { catalogRow } from '#worker/storage/catalog-key'
import { int, intOrNull, stopIf } from '#worker/storage/database'
import { stopBeyondQuota } from '#worker/storage/quotas'
import { guardedSlots } from '../emptied-fields'
import { slotBits } from './compare'
import type { WriteSql } from './fragments'
import { type SentRecords, sentIds } from './sent-records'

/** Statements that stop a write; see `history-size.ts` for a full history. `commit.ts` has the messages. */

export function stopIfStale({ catalogKey, expectedRevision, expectedEpoch, unusedSlots = [] }: WriteSql): SQL[] {
  if (expectedRevision === null && expectedEpoch === null && unusedSlots.length === 0) return []
  return [
    stopIf(
      sql`'stale_revision:' || revision`,
      sql`${catalogRow(catalogKey)} and (revision <> coalesce(${intOrNull(expectedRevision)}, revision)
        or epoch <> coalesce(${expectedEpoch}, epoch) or used_slots & ${slotBits(unusedSlots)} <> 0)`,
    ),
  ]
}

/** Bytes that count toward a workspace's quota: of its records and its pending uploads. */
export const countedBytes = (workspaceId: string): SQL =>
  sql`(select coalesce(sum(stored_bytes), 0) from catalogs where workspace_id = ${workspaceId})
    + (select coalesce(sum(size_bytes), 0) from uploads
      where outcome = 'held' and catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId}))`

/** Stops a write that would exceed the workspace's quota. A write that frees space is never stopped. */
export const stopBeyondQuotas = ({ catalogKey: { workspaceId }, row }: WriteSql): SQL[] => [
  stopBeyondQuota('records', workspaceId, {
    used: sql`(select sum(total_records) from catalogs where workspace_id = ${workspaceId})`,
    added: sql`(select inserted from uploads where ${row})`,
  }),
  stopBeyondQuota('bytes', workspaceId, {
    used: countedBytes(workspaceId),
    added: sql`(select grown_bytes from uploads where ${row})`,
  }),
]

/** The shrink guard. Counts records sent as inactive and missing records. */
export const stopIfShrinking = ({ maxShrink, row }: WriteSql): SQL[] =>
  maxShrink === null
    ? []
    : [
        stopIf(
          sql`'shrink_guard:' || active_before || ':' || deactivated`,
          sql`uploads where ${row} and deactivated * 100 > ${int(maxShrink)} * active_before`,
        ),
      ]

/** The value-loss guard: stops a write that clears a field in too many records. Deactivated records do not count. */
export function stopIfEmptying({ emptiedGuard, catalogKey: { type }, row }: WriteSql): SQL[] {
  if (emptiedGuard === null) return []
  const slots = JSON.stringify(guardedSlots(recordTypes[type], emptiedGuard))
  return [
    stopIf(
      sql`'emptied_guard:' || emptied`,
      sql`uploads where ${row}
        and exists (select 1 from json_each(emptied) where value ->> 2 > ${int(emptiedGuard.maxEmptied)}
          and value ->> 0 in (select value from json_each(${slots})))`,
    ),
  ]
}

/**
 * Stops a write before its work if the number of records shows that it deactivates too many.
 *
 * @param mostActive most records that can be active after the write
 * @param deactivated number of records that it would deactivate; only evaluated if it is stopped
 */
export const stopIfSurelyShrinking = ({ maxShrink, catalogKey }: WriteSql, mostActive: SQL, deactivated: SQL): SQL[] =>
  maxShrink === null
    ? []
    : [
        stopIf(
          sql`'shrink_guard:' || active_records || ':' || ${deactivated}`,
          sql`${catalogRow(catalogKey)}
            and (active_records - ${mostActive}) * 100 > ${int(maxShrink)} * active_records`,
        ),
      ]

/**
 * The early shrink guard, by an upper bound from the number of records. Skipped if some are sent inactive, because then
 * there is no bound, or if the IDs fill several lists, which is too much to bind.
 */
export const stopIfTooFew = (write: WriteSql, { idLists, hasInactive, total }: SentRecords): SQL[] =>
  hasInactive || idLists.length > 1
    ? []
    : stopIfSurelyShrinking(
        write,
        int(total),
        sql`(select count(*) from records
          where catalog_id = ${write.catalog} and is_active = 1 and record_id not in (${sentIds(idLists)}))`,
      )
