import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { RecordTypeName } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import type { batch, batchPage } from '#worker/catalog/schemas'
import { EPOCH_AFTER } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { firstOf, int } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/paged'
import { TOLD_COUNTS } from '#worker/storage/told-counts'
import type { write } from './schemas'

type ReturnedWrite = z.output<typeof write>

type UploadMode = z.output<typeof batch>['mode']
export type WriteMode = ReturnedWrite['mode']

/** A row of `batches`, as far as it is returned. */
export interface BatchRow<Mode = WriteMode> extends Omit<ReturnedWrite, 'type' | 'mode' | 'created_at'> {
  mode: Mode
  /** Milliseconds since the epoch. */
  created_at: number
  /** Records that a reconcile left out. Those that were sent as inactive are in `updated`. */
  deactivated: number
  /** See `TOLD_COUNTS`. */
  told_updated: number
  told_deactivated: number
  active_before: number
  active_after: number
  /** In the answer of the write itself only. */
  history_is_full?: 0 | 1
  /** In that answer only: whether messages of the write wait for webhooks. */
  has_messages?: 0 | 1
}

type UploadBatch = BatchRow<UploadMode>

/** The row of a write that was just carried out. */
export interface CommittedRow extends BatchRow {
  /** See `EPOCH_AFTER`. */
  epoch: string
  request_digest: string | null
}

/** Number of records that a write changed. */
export const changedBy = (row: BatchRow): number =>
  row.mode === 'restore' ? row.total : row.total - row.unchanged + row.deactivated

/** What a write did. */
export const countsOf = (row: BatchRow) => ({
  total: row.total,
  inserted: row.inserted,
  updated: row.told_updated,
  reactivated: row.reactivated,
  unchanged: row.unchanged,
  deactivated: row.told_deactivated,
})

/** Writes of a catalog. @param where condition on their rows */
export const committedRow = (scope: CatalogKey, where: SQL): SQL<CommittedRow> =>
  sql`select *, ${TOLD_COUNTS}, ${EPOCH_AFTER} as epoch from batches where catalog_id = ${catalogIdOf(scope)} and ${where}`

export const batchStatement = (scope: CatalogKey, batchId: string): SQL<CommittedRow> =>
  committedRow(scope, sql`batch_id = ${batchId}`)

export const returnedBatch = <Mode extends WriteMode>(type: RecordTypeName, row: BatchRow<Mode>) => ({
  batch_id: row.batch_id,
  type,
  mode: row.mode,
  file_name: row.file_name,
  size_bytes: row.size_bytes,
  ...countsOf(row),
  warnings: row.warnings,
  revision: row.revision,
  created_by: row.created_by,
  created_at: new Date(row.created_at).toISOString(),
})

const UPLOAD_COLUMNS = sql`batch_id, mode, file_name, size_bytes, created_by, created_at, warnings, active_before, active_after, revision, total, inserted, unchanged, reactivated, ${TOLD_COUNTS}`

/** The CSV uploads of a catalog that were written, newest first. */
export async function listBatches(
  { db, scope }: Catalog,
  { limit, offset }: PageRequest,
): Promise<z.output<typeof batchPage>> {
  const uploads = sql`from batches where catalog_id = ${catalogIdOf(scope)} and format = 'csv'`
  const newestFirst = sql`order by written_at desc, rowid desc`
  const [latest, page, counted] = await db.batch([
    sql<UploadBatch>`select ${UPLOAD_COLUMNS} ${uploads} ${newestFirst} limit 1`,
    sql<UploadBatch>`select ${UPLOAD_COLUMNS} ${uploads} ${newestFirst} limit ${int(limit)} offset ${int(offset)}`,
    sql<{ total: number }>`select count(*) as total ${uploads}`,
  ])
  const returned = (row: UploadBatch) => returnedBatch(scope.type, row)
  return {
    latest: latest.map(returned)[0] ?? null,
    ...asPage(page.map(returned), firstOf(counted).total, { limit, offset }),
  }
}
