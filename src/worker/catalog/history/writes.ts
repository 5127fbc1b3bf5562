import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shortened } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import { EXPORT_PAGE_ROWS, LISTED_CHANGES } from '#shared/limits'
import { BYTE_ORDER_MARK } from '#shared/records/csv/write'
import type { RecordType } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import {
  historyFrom,
  smallChangesStatement,
  writeChangesStatement,
  writesPage,
} from '#worker/catalog/history/sql/history'
import type { batchPageSchema, CommittedWrite } from '#worker/catalog/schemas'
import { recordChange, returnedEntry } from '#worker/catalog/write/diff'
import { csvLinesOf, diffHeader } from '#worker/catalog/write/diff-csv'
import { returnedWrite } from '#worker/catalog/write/result'
import type { ChangeRow } from '#worker/catalog/write/sql/diff'
import { changedBy, committedWrite, type WriteRow, writesOf } from '#worker/catalog/write/sql/writes'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import type { Paced } from '#worker/storage/database'
import { firstOf } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/paged'
import type { WriteChange, writeChangesPageSchema, writePageSchema } from './schemas'

/** Every write of a catalog that was committed, newest first. */
export async function listWrites({ db, scope }: Catalog, page: PageRequest): Promise<z.output<typeof writePageSchema>> {
  const [rows, counted] = await db.batch([writesPage(scope, page), countWrites(scope)])
  const items = rows.map((row) => returnedWrite(scope.type, row))
  return asPage(items, firstOf(counted).total, page)
}

const countWrites = (scope: CatalogKey, where = sql`true`): SQL<{ total: number }> =>
  sql`select count(*) as total from ${writesOf(scope)} and ${where}`

/** The CSV uploads of a catalog that were written, newest first. */
export async function listBatches(
  { db, scope }: Catalog,
  page: PageRequest,
): Promise<z.output<typeof batchPageSchema>> {
  const isCsv = sql`format = 'csv'`
  const [latest, rows, counted] = await db.batch([
    writesPage(scope, { limit: 1, offset: 0 }, isCsv),
    writesPage(scope, page, isCsv),
    countWrites(scope, isCsv),
  ])
  const returned = (row: WriteRow) => {
    const { format, restored_revision, mode, ...rest } = returnedWrite(scope.type, row)
    return { ...rest, mode: mode === 'reconcile' ? mode : ('upsert' as const) }
  }
  return {
    latest: latest.map(returned)[0] ?? null,
    ...asPage(rows.map(returned), firstOf(counted).total, page),
  }
}

/** The same; those that changed few records say what. One round trip. */
export async function listWritesWithChanges(
  { db, scope, type }: Catalog,
  page: PageRequest,
): Promise<z.output<typeof writePageSchema>> {
  const [rows, counted, changed] = await db.batch([
    writesPage(scope, page),
    countWrites(scope),
    smallChangesStatement(scope, page, LISTED_CHANGES),
  ])
  const items = rows.map((row) => {
    const own = changed.filter(({ batch_id }) => batch_id === row.batch_id)
    // A page ends at a number of bytes: half of the changes of a write would look like all of them.
    const isWhole = own.length > 0 && own.length === changedBy(row)
    return {
      ...returnedWrite(scope.type, row),
      ...(isWhole ? { changes: own.map((change) => returnedChange(type, change)) } : {}),
    }
  })
  return asPage(items, firstOf(counted).total, page)
}

/** What became of a record, as the API returns it. */
export const returnedChange = (type: RecordType, row: ChangeRow): WriteChange => ({
  change: row.change,
  ...returnedEntry(recordChange(type, row)),
})

export const noSuchWrite = (scope: CatalogKey, batchId: string): ApiError =>
  new ApiError('not_found', `There is no write of the ${scope.type} catalog with the id "${shortened(batchId)}".`)

const oneWrite = (scope: CatalogKey, batchId: string) => committedWrite(scope, sql`upload_id = ${batchId}`)

/** @throws ApiError 404 if the catalog has no such write */
export async function readWrite({ db, scope }: Catalog, batchId: string): Promise<CommittedWrite> {
  const [row] = await db.all(oneWrite(scope, batchId))
  if (!row) throw noSuchWrite(scope, batchId)
  return returnedWrite(scope.type, row)
}

/**
 * Some of what a write did to each record, in the order in which the records were first written, and how many records
 * it changed. Both are of one moment, in which all of its changes are kept.
 *
 * @throws ApiError 404 when the catalog has no such write; 409 when versions that it ended are no longer kept
 */
async function readChanges(
  { db, scope }: Catalog,
  batchId: string,
  page: PageRequest,
): Promise<{ rows: ChangeRow[]; total: number }> {
  const [[row], kept, rows] = await db.batch([
    oneWrite(scope, batchId),
    sql<{ oldest: number }>`select ${historyFrom(scope)} as oldest`,
    writeChangesStatement(scope, batchId, page),
  ])
  if (!row) throw noSuchWrite(scope, batchId)
  const total = changedBy(row)
  const { oldest } = firstOf(kept)
  if (total > 0 && row.revision <= oldest) {
    throw new ApiError(
      'conflict',
      `The changes of this write are no longer kept: it made revision ${row.revision}, and the oldest ` +
        `restorable revision is ${oldest}.`,
    )
  }
  return { rows, total }
}

/** In the order in which the records were first written. @throws ApiError as `readChanges` */
export async function listWriteChanges(
  catalog: Catalog,
  batchId: string,
  page: PageRequest,
): Promise<z.output<typeof writeChangesPageSchema>> {
  const { rows, total } = await readChanges(catalog, batchId, page)
  const items = rows.map((row) => returnedChange(catalog.type, row))
  return asPage(items, total, page)
}

/** The same as CSV, in portions. @throws ApiError as `readChanges`, also between two portions */
export async function writeChangesCsv(
  catalog: Catalog,
  batchId: string,
  safe: boolean,
  paced: Paced,
): Promise<AsyncGenerator<string>> {
  // Versions may be deleted while the file is sent. A broken file is better than an incomplete one.
  return changesCsv(catalog.type, safe, (offset) =>
    paced(() => readChanges(catalog, batchId, { limit: EXPORT_PAGE_ROWS, offset })),
  )
}

/** Changes as CSV, in portions. @returns once the first ones are read */
export async function changesCsv(
  type: RecordType,
  safe: boolean,
  read: (offset: number) => Promise<{ rows: ChangeRow[]; total: number }>,
): Promise<AsyncGenerator<string>> {
  let { rows, total } = await read(0)
  return (async function* () {
    yield BYTE_ORDER_MARK + diffHeader
    for (let sent = rows.length; rows.length > 0; sent += rows.length) {
      yield rows.map((row) => csvLinesOf(recordChange(type, row), safe)).join('')
      rows = sent < total ? (await read(sent)).rows : []
    }
  })()
}
