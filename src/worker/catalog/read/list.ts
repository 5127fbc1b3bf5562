import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shorten } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { type RecordRow, type ReturnedRecord, returnedForm } from '#shared/records/stored-form'
import { foldedWords } from '#shared/text/fold'
import type { Catalog } from '#worker/catalog/catalog'
import { type FoundRow, returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { scannedPage } from '#worker/catalog/read/sql/scan'
import type { recordPageSchema } from '#worker/catalog/schemas'
import { matchesInNames } from '#worker/search/query/record-match'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { firstOf, int, Parameters } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/list-page'
import { type TagRow, tagOf, tagStatement } from './entity-tag'
import { asksFields, fieldConditions, isMatch, type ListFilter, needsScan, type States, statesOf } from './filter'

/** One page, which ends early at `MAX_PAGE_BYTES`, and the entity tag of the catalog. */
export async function listRecords(
  catalog: Catalog,
  filter: ListFilter,
  request: PageRequest,
): Promise<{ page: z.output<typeof recordPageSchema>; tag: string }> {
  const { rows, total, tag } = await readPage(catalog, filter, request)
  const items = rows.map((row) => returnedForm(catalog.type, row))
  return { page: asPage(items, total, request), tag }
}

async function readPage(
  catalog: Catalog,
  filter: ListFilter,
  request: PageRequest,
): Promise<{ rows: RecordRow[]; total: number; tag: string }> {
  const { db, catalogKey } = catalog
  const scan = needsScan(filter) ? await fieldConditions(catalog, filter) : null
  const words = foldedWords(filter.q)
  const order = indexOrder(filter)
  const window = windowOf(request)
  if (scan === null && words.length === 0) {
    const [rows, [row]] = await db.batch([
      listedPage(catalogKey, filter, order, window),
      tagStatement(catalogKey, totalOf(catalogKey, filter)),
    ])
    return { rows, total: row?.total ?? 0, tag: tagOf(row) }
  }
  const [rows, [tagRow]] = await db.batch([
    scan === null
      ? searchedPage(catalogKey, filter, words, order, window)
      : scannedPage(catalogKey, filter, scan.conditions, window),
    tagStatement(catalogKey),
  ])
  return {
    rows: rows.filter((row) => row.record_id !== null),
    total: firstOf(rows).total,
    // The older tag, because the page may lack records written after the conditions were computed.
    tag: scan?.tag ?? tagOf(tagRow),
  }
}

const windowOf = ({ limit, offset }: PageRequest): SQL => sql`limit ${int(limit)} offset ${int(offset)}`

/** Sorts by the time of the change, and within one write by the position in it. */
const indexOrder = ({ sort }: ListFilter): SQL =>
  sql.raw(sort === 'updated_at' ? 'written_at, position, row_id' : 'written_at desc, position desc, row_id desc')

const LISTED_COLUMNS = sql.raw('record_id, is_active, written_at, data, added_names')

/** Row IDs of a page. Adds up their sizes before reading any record. */
const withinBytes = (rowIds: SQL, order: SQL): SQL => {
  const keys = sql`select row_id, written_at, position, ${returnedBytes} as bytes
    from records where row_id in (${rowIds})`
  return sql`select row_id from (${withinPageBytes(keys, order)})`
}

/** A page of a list without words, in the order of an index that separates active and inactive records. */
function listedPage(catalogKey: CatalogKey, filter: ListFilter, order: SQL, window: SQL): SQL<RecordRow> {
  const states = statesOf(filter)
  const rows = (states === 'all' ? (['active', 'inactive'] as const) : [states]).map(
    (each) => sql`select row_id, written_at, position from records indexed by records_list
      where ${isMatch(catalogKey, filter, each)}`,
  )
  const rowIds = sql`select row_id from (${sql.join(rows, sql` union all `)} order by ${order} ${window})`
  return sql`select ${LISTED_COLUMNS} from records where row_id in (${withinBytes(rowIds, order)}) order by ${order}`
}

/** A page of a search in names and aliases, with the total in each row. @param words of `q`, folded */
function searchedPage(
  catalogKey: CatalogKey,
  filter: ListFilter,
  words: readonly string[],
  order: SQL,
  window: SQL,
): SQL<FoundRow> {
  const parameters = new Parameters()
  const since = filter.updated_since
  const condition = since === undefined ? null : `written_at > ${parameters.of(String(since))} + 0`
  const { tables, total, few, walks } = matchesInNames(parameters, catalogKey, words, statesOf(filter), condition)
  const pageOf = (rows: string) =>
    // Directly after the union, so that SQLite merges the two states in their order.
    sql`select row_id from (${parameters.sql(rows)} order by ${order} ${window})`
  const page = sql`${pageOf(few)} union all ${pageOf(walks.join(' union all '))}`
  return sql`with ${parameters.sql(tables)}
    select total, ${LISTED_COLUMNS} from (select ${parameters.sql(total)} as total)
      left join (${withinBytes(page, order)}) on true left join records using (row_id)
    order by ${order}`
}

/** Counters that every write updates. */
const COUNTERS: Readonly<Record<States, SQL>> = {
  active: sql`active_records`,
  inactive: sql`total_records - active_records`,
  all: sql`total_records`,
}

/** Expression on the row of the catalog: the number of records of a list without words. */
const totalOf = (catalogKey: CatalogKey, filter: ListFilter): SQL =>
  filter.updated_since === undefined
    ? COUNTERS[statesOf(filter)]
    : sql`(select count(*) from records indexed by records_list
        where ${isMatch(catalogKey, filter)})`

/** The headers of an export: the entity tag, and the number of records, so that a truncated file is noticed. */
export async function exportHeaders(
  { db, catalogKey }: Catalog,
  filter: ListFilter,
): Promise<{ ETag: string; 'X-Total-Count'?: string }> {
  const isPart = filter.q.trim() !== '' || filter.updated_since !== undefined || asksFields(filter)
  const [row] = await db.all(tagStatement(catalogKey, COUNTERS[statesOf(filter)]))
  return { ETag: tagOf(row), ...(!isPart && { 'X-Total-Count': String(row?.total ?? 0) }) }
}

export const noSuchRecord = (type: RecordType, id: string): ApiError =>
  new ApiError('not_found', `There is no ${type.name} with the ID "${shorten(id)}".`)

/** A record, active or not. @throws ApiError 404 with the type and the ID */
export async function getRecord(
  { db, catalogKey, type }: Catalog,
  id: string,
): Promise<{ record: ReturnedRecord; tag: string }> {
  const [row] = await db.all<RecordRow & TagRow>(
    sql`select revision, epoch, search_enabled, record_id, is_active, records.written_at, data, added_names
      from catalogs cross join records on records.catalog_id = catalogs.catalog_id and record_id = ${id}
      where workspace_id = ${catalogKey.workspaceId} and type = ${catalogKey.type}`,
  )
  if (!row) throw noSuchRecord(type, id)
  return { record: returnedForm(type, row), tag: tagOf(row) }
}
