import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { LEFT_OUT_POSITION } from '#worker/storage/schema/catalogs'
import type { EmptiedGuard } from '../emptied-fields'
import type { IdempotencyKey } from '../idempotency'

/** A write, and how its statements name what it has changed. */

export interface WriteHead {
  batchId: string
  format: 'json' | 'csv' | 'restore'
  mode: 'upsert' | 'reconcile' | 'restore'
  fileName: string | null
  sizeBytes: number
  /** Client id or user. */
  createdBy: string
  requestId: string
  /** When the request came, in milliseconds since the epoch. */
  now: number
  warnings: number
  expectedRevision: number | null
  /** See `catalogs.epoch`. */
  expectedEpoch: string | null
  /** Share of the active records, in whole percent, that may be deactivated; null when no guard applies. */
  maxShrink: number | null
  /** Null when no guard applies. */
  emptiedGuard: EmptiedGuard | null
  key: IdempotencyKey | null
  /** Revision to which a restore goes back; null for other writes, and if one write is taken back. */
  restoredRevision: number | null
  /** Whether the versions that this write ends are kept. */
  keepsVersions: boolean
  /** For a file that waits: tells this request from others that write it. `batchId` is then the id of its upload. */
  approvalId: string | null
  total: number
}

export interface Write {
  catalogKey: CatalogKey
  head: WriteHead
  catalog: SQL
  /** Condition: the row of this write in `uploads`. */
  row: SQL
  /** Time of this write. No other write of the catalog has the same. */
  writtenAt: SQL
  /** Condition: records that this write has changed in any way. */
  isWritten: SQL
  /** Condition: records that this write has inserted, updated, reactivated or restored. */
  isChanged: SQL
  /** Condition: records that it has left out. */
  isLeftOut: SQL
}

/** `LEFT_OUT_POSITION` as SQL. */
export const LEFT_OUT = sql.raw(String(LEFT_OUT_POSITION))

export function describeWrite(catalogKey: CatalogKey, head: WriteHead): Write {
  const catalog = catalogIdOf(catalogKey)
  const row = sql`upload_id = ${head.batchId} and catalog_id = ${catalog}`
  const writtenAt = sql`(select written_at from uploads where ${row})`
  const byThisWrite = sql`catalog_id = ${catalog} and is_active in (0, 1) and written_at = ${writtenAt}`
  return {
    catalogKey,
    head,
    catalog,
    row,
    writtenAt,
    isWritten: byThisWrite,
    isChanged: sql`${byThisWrite} and position > ${LEFT_OUT}`,
    isLeftOut: sql`${byThisWrite} and position = ${LEFT_OUT}`,
  }
}

/** The catalog of a write, as `from` with a condition. */
export const catalogRow = ({ workspaceId, type }: CatalogKey): SQL =>
  sql`catalogs where workspace_id = ${workspaceId} and type = ${type}`
