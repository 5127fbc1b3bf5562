import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shorten } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import { LISTED_CHANGES } from '#shared/limits'
import { changesIn } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import {
  historyFrom,
  smallChangesStatement,
  writeChangesStatement,
  writesPage,
} from '#worker/catalog/history/sql/history'
import type { batchPageSchema } from '#worker/catalog/schemas'
import { recordChange, returnedEntry } from '#worker/catalog/write/diff'
import { committedWrite, returnedWrite, type WriteRow, writesOf } from '#worker/catalog/write/result'
import type { ChangeRow } from '#worker/catalog/write/sql/dry-run'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { firstOf } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/list-page'
import type { WriteChange, writePageSchema } from './schemas'

const countWrites = (catalogKey: CatalogKey, where = sql`true`): SQL<{ total: number }> =>
  sql`select count(*) as total from ${writesOf(catalogKey)} and ${where}`

/** The CSV uploads of a catalog that were written, newest first. */
export async function listBatches(
  { db, catalogKey }: Catalog,
  page: PageRequest,
): Promise<z.output<typeof batchPageSchema>> {
  const isCsv = sql`format = 'csv'`
  const [latest, rows, totals] = await db.batch([
    writesPage(catalogKey, { limit: 1, offset: 0 }, isCsv),
    writesPage(catalogKey, page, isCsv),
    countWrites(catalogKey, isCsv),
  ])
  const asBatch = (row: WriteRow) => {
    const { format, restored_revision, mode, ...rest } = returnedWrite(catalogKey.type, row)
    return { ...rest, mode: mode === 'reconcile' ? mode : ('upsert' as const) }
  }
  return { latest: latest.map(asBatch)[0] ?? null, ...asPage(rows.map(asBatch), firstOf(totals).total, page) }
}

/**
 * Every write of a catalog that was committed, newest first. One round trip.
 *
 * @param withChanges whether those that changed few records say what
 */
export async function listWrites(
  { db, catalogKey, type }: Catalog,
  page: PageRequest,
  withChanges: boolean,
): Promise<z.output<typeof writePageSchema>> {
  const changes = withChanges ? [smallChangesStatement(catalogKey, page, LISTED_CHANGES)] : []
  const [rows, totals, smallChanges = []] = await db.batch([
    writesPage(catalogKey, page),
    countWrites(catalogKey),
    ...changes,
  ])
  const items = rows.map((row) => {
    const own = smallChanges.filter(({ batch_id }) => batch_id === row.upload_id)
    // A page ends at a number of bytes: half of the changes of a write would look like all of them.
    const isWhole = own.length > 0 && own.length === changesIn(row)
    return {
      ...returnedWrite(catalogKey.type, row),
      ...(isWhole ? { changes: own.map((change) => returnedChange(type, change)) } : {}),
    }
  })
  return asPage(items, firstOf(totals).total, page)
}

/** What became of a record, as the API returns it. */
export const returnedChange = (type: RecordType, row: ChangeRow): WriteChange => ({
  change: row.change,
  ...returnedEntry(recordChange(type, row)),
})

const noSuchWrite = (catalogKey: CatalogKey, batchId: string): ApiError =>
  new ApiError('not_found', `There is no write of the ${catalogKey.type} catalog with the id "${shorten(batchId)}".`)

const oneWrite = (catalogKey: CatalogKey, batchId: string) => committedWrite(catalogKey, sql`upload_id = ${batchId}`)

/** @throws ApiError 404 if the catalog has no such write */
export async function findWrite({ db, catalogKey }: Catalog, batchId: string): Promise<WriteRow> {
  const [row] = await db.all(oneWrite(catalogKey, batchId))
  if (!row) throw noSuchWrite(catalogKey, batchId)
  return row
}

/**
 * Some of what a write did to each record, in the order in which the records were first written, and how many records
 * it changed. Both are of one moment, in which all of its changes are kept.
 *
 * @throws ApiError 404 when the catalog has no such write; 409 when versions that it ended are no longer kept
 */
export async function readChanges(
  { db, catalogKey }: Catalog,
  batchId: string,
  page: PageRequest,
): Promise<{ rows: ChangeRow[]; total: number }> {
  const [[row], kept, rows] = await db.batch([
    oneWrite(catalogKey, batchId),
    sql<{ oldest: number }>`select ${historyFrom(catalogKey)} as oldest`,
    writeChangesStatement(catalogKey, batchId, page),
  ])
  if (!row) throw noSuchWrite(catalogKey, batchId)
  const total = changesIn(row)
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
