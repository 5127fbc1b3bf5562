import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shorten } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import { fieldFiltersIn } from '#shared/records/filters'
import type { RecordType } from '#shared/records/record-type'
import { type RecordRow, type ReturnedRecord, returnedForm } from '#shared/records/stored-form'
import { foldedWords } from '#shared/text/fold'
import type { Catalog } from '#worker/catalog/catalog'
import { type FoundRow, returnedBytes, withinPageBytes } from '#worker/catalog/read/sql/page'
import { scannedPage } from '#worker/catalog/read/sql/scan'
import type { recordPageSchema } from '#worker/catalog/schemas'
import { matchesInNames } from '#worker/search/query/record-match'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { firstOf, int, Parameters, type Query } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/list-page'
import { type TagRow, tagOf, tagStatement } from './entity-tag'
import { fieldConditions } from './field-conditions'
import { inStates, isMatch, type ListFilter, needsScan, type States, statesOf } from './filter'

/** What the database says of a page; `tag` is the entity tag of the catalog then. */
interface ReadPage {
  rows: RecordRow[]
  total: number
  tag: string
}

/** One page, which ends early when it reaches `MAX_PAGE_BYTES`, and the entity tag of the catalog. */
export async function listRecords(
  catalog: Catalog,
  filter: ListFilter,
  request: PageRequest,
): Promise<{ page: z.output<typeof recordPageSchema>; tag: string }> {
  const { rows, total, tag } = needsScan(filter)
    ? await readScannedPage(catalog, filter, request)
    : await readPage(catalog, { catalogKey: catalog.catalogKey, filter, words: foldedWords(filter.q), ...request })
  const items = rows.map((row) => returnedForm(catalog.type, row))
  return { page: asPage(items, total, request), tag }
}

async function readPage(catalog: Catalog, request: WantedPage): Promise<ReadPage> {
  if (request.words.length > 0) return readFoundPage(catalog, searchedPage(request))
  const [rows, [state]] = await catalog.db.batch([
    listedPage(request),
    tagStatement(request.catalogKey, totalOf(request)),
  ])
  return { rows, total: state?.total ?? 0, tag: tagOf(state) }
}

async function readFoundPage({ db, catalogKey }: Catalog, statement: Query<FoundRow>): Promise<ReadPage> {
  const [rows, [tagRow]] = await db.batch([statement, tagStatement(catalogKey)])
  return { rows: rows.filter((row) => row.record_id !== null), total: firstOf(rows).total, tag: tagOf(tagRow) }
}

async function readScannedPage(
  catalog: Catalog,
  filter: ListFilter,
  { limit, offset }: PageRequest,
): Promise<ReadPage> {
  const { conditions, tag } = await fieldConditions(catalog, filter)
  const window = sql`limit ${int(limit)} offset ${int(offset)}`
  const page = await readFoundPage(catalog, scannedPage(catalog.catalogKey, filter, conditions, window))
  // The older one: what was written after the conditions were made may be missing from the page.
  return { ...page, tag: tag ?? page.tag }
}

/** Pages of lists in the order of an index. */

/** What a page shows. Words: of `q`, folded. */
interface WantedPage extends PageRequest {
  catalogKey: CatalogKey
  filter: ListFilter
  words: readonly string[]
}

const windowOf = ({ limit, offset }: WantedPage): SQL => sql`limit ${int(limit)} offset ${int(offset)}`

/** Sorts by the time of the change, and within one write by the position in it. */
const indexOrder = ({ sort }: ListFilter): SQL =>
  sql.raw(sort === 'updated_at' ? 'written_at, position, row_id' : 'written_at desc, position desc, row_id desc')

const LISTED_COLUMNS = sql.raw('record_id, is_active, written_at, data')

/** Row ids of a page. Their sizes are added up before any record is read. */
const withinBytes = (rowIds: SQL, order: SQL): SQL => {
  const keys = sql`select row_id, written_at, position, ${returnedBytes} as bytes
    from records where row_id in (${rowIds})`
  return sql`select row_id from (${withinPageBytes(keys, order)})`
}

/**
 * Row ids of a page in its order. The index has the active records after the inactive ones, so both are read and
 * merged.
 */
function orderedRowIds(catalog: SQL, request: WantedPage): SQL {
  const { filter } = request
  const of = (states: SQL) =>
    sql`select row_id, written_at, position from records indexed by records_list
      where ${isMatch(catalog, request, states)}`
  const states = statesOf(filter)
  const rows =
    states === 'all' ? sql`${of(inStates('active'))} union all ${of(inStates('inactive'))}` : of(inStates(states))
  return sql`select row_id from (${rows} order by ${indexOrder(filter)} ${windowOf(request)})`
}

/** A page of a list without words. */
function listedPage(request: WantedPage): SQL<RecordRow> {
  const order = indexOrder(request.filter)
  const rowIds = withinBytes(orderedRowIds(catalogIdOf(request.catalogKey), request), order)
  return sql`select ${LISTED_COLUMNS} from records where row_id in (${rowIds}) order by ${order}`
}

/** A page of a search in names and aliases, with the total in each row. */
function searchedPage(request: WantedPage): SQL<FoundRow> {
  const { filter, words, catalogKey } = request
  const order = indexOrder(filter)
  const parameters = new Parameters()
  const since = filter.updated_since
  const condition = since === undefined ? 'true' : `written_at > ${parameters.of(String(since))} + 0`
  const matches = matchesInNames(parameters, catalogKey, words, statesOf(filter), condition)
  const page = sql`select row_id from matches order by ${order} ${windowOf(request)}`
  return sql`with ${parameters.sql(matches)}
    select total, ${LISTED_COLUMNS} from (select count(*) as total from matches)
      left join (${withinBytes(page, order)}) on true left join records using (row_id)
    order by ${order}`
}

/** Counts that every write keeps. */
const COUNTERS: Readonly<Record<States, SQL>> = {
  active: sql`active_records`,
  inactive: sql`total_records - active_records`,
  all: sql`total_records`,
}

/** The number of records of a list without words, as an expression on the row of the catalog. */
const totalOf = ({ catalogKey, filter }: WantedPage): SQL =>
  filter.updated_since === undefined
    ? COUNTERS[statesOf(filter)]
    : sql`(select count(*) from records indexed by records_list
        where ${isMatch(catalogIdOf(catalogKey), { filter, words: [] })})`

/**
 * What an export announces: the entity tag of the catalog, and how many records it has, which tells a file that
 * something on the way has cut. A filter is not counted.
 */
export async function exportHeaders(
  { db, catalogKey }: Catalog,
  filter: ListFilter,
): Promise<{ ETag: string; 'X-Total-Count'?: string }> {
  const isPart = filter.q.trim() !== '' || filter.updated_since !== undefined || fieldFiltersIn(filter).length > 0
  const [row] = await db.all(tagStatement(catalogKey, COUNTERS[statesOf(filter)]))
  return { ETag: tagOf(row), ...(!isPart && { 'X-Total-Count': String(row?.total ?? 0) }) }
}

export const noSuchRecord = (type: RecordType, id: string): ApiError =>
  new ApiError('not_found', `There is no ${type.name} with the id "${shorten(id)}".`)

/** Active or not. @throws ApiError 404 naming the type and the id */
export async function getRecord(
  { db, catalogKey, type }: Catalog,
  id: string,
): Promise<{ record: ReturnedRecord; tag: string }> {
  const [row] = await db.all<RecordRow & TagRow>(
    sql`select revision, epoch, search_enabled, record_id, is_active, records.written_at, data
      from catalogs cross join records on records.catalog_id = catalogs.catalog_id and record_id = ${id}
      where workspace_id = ${catalogKey.workspaceId} and type = ${catalogKey.type}`,
  )
  if (!row) throw noSuchRecord(type, id)
  return { record: returnedForm(type, row), tag: tagOf(row) }
}
