import { type SQL, sql } from 'drizzle-orm'
import type { ChangeKind } from '#shared/records/change'
import { isLatin1, jsonInLatin1 } from '#shared/text/latin-1'
import type { EmptiedGuard } from '#worker/catalog/write/emptied-fields'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { LEFT_OUT_POSITION } from '#worker/storage/schema/catalogs'
import type { ExpectedState } from './state'

/** The idempotency key of a write, and the hexadecimal SHA-256 of its request. */
export interface IdempotencyKey {
  key: string
  digest: string
}

export interface NewWrite extends ExpectedState {
  batchId: string
  format: 'json' | 'csv' | 'restore' | 'added_name'
  mode: 'upsert' | 'reconcile' | 'restore'
  fileName: string | null
  sizeBytes: number
  /** Client ID or user. */
  createdBy: string
  requestId: string
  /** Time of the request, in milliseconds since the epoch. */
  now: number
  /** For a large file: SHA-256 of everything that decides its effect. Null for others, and for restores. */
  fileDigest: string | null
  /** Number of warnings. */
  warnings: number
  /** JSON list of the warnings, except those found by the transaction; null if they are too long. */
  warningList: string | null
  /** Share of the active records that may be deactivated, in whole percent; null if no guard applies. */
  maxShrink: number | null
  emptiedGuard: EmptiedGuard | null
  key: IdempotencyKey | null
  /** Revision to which a restore goes back; null for other writes and for an undo. */
  restoredRevision: number | null
  /** Whether the versions that this write ends are kept. */
  keepsVersions: boolean
  /** For a pending upload: distinguishes this request from others that approve it. `batchId` is then its upload ID. */
  approvalId: string | null
  total: number
}

export interface WriteSql extends NewWrite {
  catalogKey: CatalogKey
  /** Expression for the catalog ID. */
  catalog: SQL
  /** Condition: the row of this write in `uploads`. */
  row: SQL
  /** Time of this write, unique within the catalog. */
  writtenAt: SQL
  /** Condition: records that this write changed in any way. */
  isTouched: SQL
  /** Condition: records that this write inserted, updated, reactivated or restored. */
  isSent: SQL
  /** Condition: records that were missing from it. */
  isLeftOut: SQL
}

/** A text that does not widen the batch: one parameter beyond Latin-1 makes all characters of it take two bytes. */
export const latin1Parameter = (text: string | null): SQL =>
  text === null || isLatin1(text) ? sql`${text}` : sql`${jsonInLatin1(JSON.stringify(text))} ->> '$'`

/** `records.position` of records missing from a reconcile. */
export const LEFT_OUT = sql.raw(String(LEFT_OUT_POSITION))

/** SQL fragments shared by a write's statements: its row in `uploads`, and the records that it changed. */
export function describeWrite(catalogKey: CatalogKey, newWrite: NewWrite): WriteSql {
  const catalog = catalogIdOf(catalogKey)
  const row = sql`upload_id = ${newWrite.batchId} and catalog_id = ${catalog}`
  const writtenAt = sql`(select written_at from uploads where ${row})`
  const byThisWrite = sql`catalog_id = ${catalog} and is_active in (0, 1) and written_at = ${writtenAt}`
  return {
    ...newWrite,
    catalogKey,
    catalog,
    row,
    writtenAt,
    isTouched: byThisWrite,
    isSent: sql`${byThisWrite} and position > ${LEFT_OUT}`,
    isLeftOut: sql`${byThisWrite} and position = ${LEFT_OUT}`,
  }
}

/** The database's own time in milliseconds: one value per statement. */
const DATABASE_TIME = sql.raw("cast(round(unixepoch('subsec') * 1000) as integer)")

const LAST_WRITTEN = sql.raw(
  '(select max(written_at) from uploads where catalog_id = catalogs.catalog_id and written_at is not null)',
)
const LAST_RECEIVED = sql.raw('(select max(received_at) from uploads where catalog_id = catalogs.catalog_id)')

/**
 * The time of a new row of `uploads`, from its row of `catalogs`. Read inside the transaction, and always later than in
 * every earlier row, even if a clock is set back, because revisions are found by their time (`madeAt`).
 *
 * @param now time of the request, in milliseconds
 */
export const writeTime = (now: number): SQL =>
  sql`max(${DATABASE_TIME}, ${int(now)}, catalogs.written_at + 1,
    coalesce(${LAST_WRITTEN}, 0) + 1, coalesce(${LAST_RECEIVED}, 0) + 1)`

/** The kind of change of a changed record. @param wasActive null if it did not exist */
export const changeOf = (wasActive: string, isActive: string): SQL =>
  sql.raw(`case when ${wasActive} is null then 'inserted'
        when ${wasActive} < ${isActive} then 'reactivated'
        when ${wasActive} > ${isActive} then 'deactivated'
        else 'updated' end`)

/** Condition: a change of this kind. Inlined, because the chunks need the hundred values that a statement may bind. */
export const hasChange = (change: ChangeKind): SQL => sql.raw(`change = '${change}'`)

export interface ChangeCounts {
  inserted: number
  reactivated: number
  /** Inserted as active, or reactivated. */
  became_active: number
  became_inactive: number
}

/** The columns of `ChangeCounts`, from rows with `was_active`, `is_active` and `change`, null for no change. */
export const CHANGE_COUNTS = sql`count(*) filter (where ${hasChange('inserted')}) as inserted,
        count(*) filter (where ${hasChange('reactivated')}) as reactivated,
        count(*) filter (where was_active is not 1 and is_active = 1) as became_active,
        count(*) filter (where ${hasChange('deactivated')}) as became_inactive`

/** Most compared records per kind of warning: as many as a CSV file may have rows. */
export const MAX_COMPARED_POSITIONS = 50_000
