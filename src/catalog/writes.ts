import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { ChangeRow } from '#catalog/sql/diff'
import { historyFrom, writeChangesStatement } from '#catalog/sql/history'
import { ApiError } from '#errors'
import { asPage, type PageRequest } from '#http/page'
import { EXPORT_PAGE_ROWS } from '#limits'
import { BYTE_ORDER_MARK } from '#records/csv/write'
import type { RecordType } from '#records/record-type'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import type { Database } from '#storage/database'
import { int } from '#storage/database'
import { type BatchRow, findBatch, returnedBatch } from './batches'
import { diffEntry, recordChange } from './diff'
import { diffHeader, linesOf } from './diff-csv'
import type { write, writeChangesPage, writePage } from './history-schemas'
import type { Paced } from './paced'

/** A write as the API returns it: a batch of any format. */
export const returnedWrite = (scope: CatalogScope, row: BatchRow): z.output<typeof write> => ({
  ...returnedBatch(scope.type, row),
  format: row.format,
  restored_revision: row.restored_revision,
})

/** Every write of a catalog that was committed, newest first. */
export async function listWrites(
  db: Database,
  scope: CatalogScope,
  { limit, offset }: PageRequest,
): Promise<z.output<typeof writePage>> {
  const writes = sql`from batches where catalog_id = ${catalogIdOf(scope)}`
  const [page, counted] = await db.batch([
    sql`select * ${writes} order by revision desc, written_at desc, rowid desc limit ${int(limit)} offset ${int(offset)}`,
    sql`select count(*) as total ${writes}`,
  ])
  const items = (page as unknown as BatchRow[]).map((row) => returnedWrite(scope, row))
  const total = counted![0]!.total as number
  return asPage(items, total, { limit, offset })
}

const noSuchWrite = (scope: CatalogScope, batchId: string): ApiError =>
  new ApiError('not_found', `There is no write of the ${scope.type} catalog with the id "${batchId}".`)

/**
 * One write of a catalog.
 *
 * @throws ApiError 404 where the catalog has no such write
 */
export async function readWrite(
  db: Database,
  scope: CatalogScope,
  batchId: string,
): Promise<z.output<typeof write>> {
  const row = await findBatch(db, scope, batchId)
  if (!row) throw noSuchWrite(scope, batchId)
  return returnedWrite(scope, row)
}

/** Records that a write has changed. */
const changedBy = (row: BatchRow): number =>
  row.mode === 'restore' ? row.total : row.total - row.unchanged + row.deactivated

/**
 * A write whose changes are all kept.
 *
 * @throws ApiError 404 when the catalog has no such write; 409 when versions that it ended are no longer kept
 */
async function keptWrite(db: Database, scope: CatalogScope, batchId: string): Promise<BatchRow> {
  const [row, [kept]] = await Promise.all([
    findBatch(db, scope, batchId),
    db.all<{ oldest: number }>(sql`select ${historyFrom(scope)} as oldest`),
  ])
  if (!row) throw noSuchWrite(scope, batchId)
  if (changedBy(row) > 0 && row.revision <= kept!.oldest) {
    throw new ApiError(
      'conflict',
      `The changes of this write are no longer kept: it made revision ${row.revision}, and the oldest restorable revision is ${kept!.oldest}.`,
    )
  }
  return row
}

/**
 * What a write did to each record, in the order in which the records were first written.
 *
 * @throws ApiError as `keptWrite`
 */
export async function listWriteChanges(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  batchId: string,
  { limit, offset }: PageRequest,
): Promise<z.output<typeof writeChangesPage>> {
  const total = changedBy(await keptWrite(db, scope, batchId))
  const rows = await db.all<ChangeRow>(writeChangesStatement(scope, batchId, limit, offset))
  const items = rows.map((row) => ({ change: row.change, ...diffEntry(recordChange(type, row)) }))
  return asPage(items, total, { limit, offset })
}

/**
 * The same as CSV, in portions.
 *
 * @param safe whether cells are written `withoutFormula`
 * @param paced runs each of the reads
 * @throws ApiError as `keptWrite`, also between two portions
 */
export async function writeChangesCsv(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  batchId: string,
  safe: boolean,
  paced: Paced,
): Promise<AsyncGenerator<string>> {
  const total = changedBy(await keptWrite(db, scope, batchId))
  return (async function* () {
    yield BYTE_ORDER_MARK + diffHeader
    for (let sent = 0; sent < total; ) {
      const page = writeChangesStatement(scope, batchId, EXPORT_PAGE_ROWS, sent)
      const rows = await paced(() => db.all<ChangeRow>(page))
      // Versions may be deleted while the file is sent. A broken file is better than an incomplete one.
      await keptWrite(db, scope, batchId)
      yield rows.map((row) => linesOf(recordChange(type, row), safe)).join('')
      if (rows.length === 0) return
      sent += rows.length
    }
  })()
}
