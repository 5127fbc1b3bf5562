import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { returnedBytes, withinPageBytes } from '#catalog/sql/page'
import { asPage, type PageRequest } from '#http/page'
import { wordsOf } from '#records/search-text'
import { type RecordRow, returnedForm } from '#records/stored-form'
import { candidatesAreFew, candidatesFor, catalogUnless, holdsWords } from '#search/candidates'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import { type Database, int } from '#storage/database'
import type { Catalog } from './catalog'
import { fieldConditions } from './field-conditions'
import { inStates, type ListFilter, matching, needsScan, type States, statesOf } from './filter'
import type { recordPage } from './schemas'
import { scannedPage } from './sql/scan'
import { type TagRow, tagOf, tagStatement } from './tag'

/** By the time of the change, and within one write by the place in it. */
const orderOf = ({ sort }: ListFilter): SQL =>
  sql.raw(sort === 'updated_at' ? 'updated_at, place, row_id' : 'updated_at desc, place desc, row_id desc')

const COLUMNS = sql.raw('record_id, is_active, updated_at, data')

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
  { limit, offset }: PageRequest,
): Promise<{ page: z.output<typeof recordPage>; tag: string }> {
  const window = sql`limit ${int(limit)} offset ${int(offset)}`
  const { rows, total, tag } = needsScan(filter)
    ? await readScannedPage(catalog, filter, window)
    : await readPage(catalog, filter, window)
  const items = rows.map((row) => returnedForm(catalog.type, row))
  return { page: asPage(items, total, { limit, offset }), tag }
}

async function readPage({ db, scope }: Catalog, filter: ListFilter, window: SQL): Promise<ReadPage> {
  const words = wordsOf(filter.q)
  if (words.length > 0) return readFoundPage(db, scope, searchedPage(scope, filter, words, window))
  const [rows, counted, tagged] = await db.batch([
    ...pageStatements(scope, filter, window),
    tagStatement(scope),
  ])
  return {
    rows: rows as unknown as RecordRow[],
    total: (counted![0]?.total as number | undefined) ?? 0,
    tag: tagOf(tagged![0] as unknown as TagRow | undefined),
  }
}

/** @param statement a page with the total in each row; an empty page is one row without a `record_id` */
async function readFoundPage(db: Database, scope: CatalogScope, statement: SQL): Promise<ReadPage> {
  const [rows, tagged] = await db.batch([statement, tagStatement(scope)])
  return {
    rows: (rows as unknown as RecordRow[]).filter(({ record_id }) => record_id !== null),
    total: rows![0]!.total as number,
    tag: tagOf(tagged![0] as unknown as TagRow | undefined),
  }
}

async function readScannedPage(catalog: Catalog, filter: ListFilter, window: SQL): Promise<ReadPage> {
  const { db, scope } = catalog
  const { conditions, tag } = await fieldConditions(catalog, filter)
  const page = await readFoundPage(db, scope, scannedPage(scope, filter, conditions, window))
  // The older one: what was written after the conditions were made may be missing from the page.
  return { ...page, tag: tag ?? page.tag }
}

/** Row ids of a page. Their sizes are added up before any record is read. */
const withinBytes = (rowIds: SQL, order: SQL): SQL => {
  const keys = sql`select row_id, updated_at, place, ${returnedBytes} as bytes from records where row_id in (${rowIds})`
  return sql`select row_id from (${withinPageBytes(keys, order)})`
}

function pageStatements(scope: CatalogScope, filter: ListFilter, window: SQL): [SQL, SQL] {
  const catalog = catalogIdOf(scope)
  const order = orderOf(filter)
  const rowIds = withinBytes(orderedRowIds(catalog, filter, [], window), order)
  const page = sql`select ${COLUMNS} from records where row_id in (${rowIds}) order by ${order}`
  if (filter.updated_since !== undefined) {
    return [
      page,
      sql`select count(*) as total from records indexed by records_list where ${matching(catalog, filter, [])}`,
    ]
  }
  return [
    page,
    sql`select ${COUNTERS[statesOf(filter)]} as total from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
  ]
}

/** Counts that every write keeps. */
const COUNTERS: Readonly<Record<States, SQL>> = {
  active: sql`active_records`,
  inactive: sql`total_records - active_records`,
  all: sql`total_records`,
}

/**
 * Row ids of a page in its order. The index has the active records after the inactive ones, so both are read and
 * merged.
 */
function orderedRowIds(catalog: SQL, filter: ListFilter, words: readonly string[], window: SQL): SQL {
  const of = (states: SQL) =>
    sql`select row_id, updated_at, place from records indexed by records_list
      where ${matching(catalog, filter, words, states)}`
  const states = statesOf(filter)
  const ordered =
    states === 'all'
      ? sql`${of(inStates('active'))} union all ${of(inStates('inactive'))}`
      : of(inStates(states))
  return sql`select row_id from (${ordered} order by ${orderOf(filter)} ${window})`
}

/**
 * A page of a search, with the total in each row. Its candidates come from the search index. Few candidates are sorted.
 * When there are many, the list is read in its order until the page is full, which does not take long.
 */
function searchedPage(scope: CatalogScope, filter: ListFilter, words: readonly string[], window: SQL): SQL {
  const order = orderOf(filter)
  const wanted = statesOf(filter)
  const candidates = candidatesFor(catalogIdOf(scope), words, wanted !== 'active')
  // The unary plus keeps the planner from using an index: the candidates must be looked up by row id.
  const states = wanted === 'all' ? inStates('all') : sql`+${inStates(wanted)}`
  const catalog = catalogUnless(candidatesAreFew, catalogIdOf(scope))
  const index = sql.raw(filter.updated_since === undefined ? 'records_scan' : 'records_list')
  const rowIds = sql`select row_id from (select row_id from found order by ${order} ${window})
    union all ${orderedRowIds(catalog, filter, words, window)}`
  return sql`with ${candidates}, found as materialized (select row_id, updated_at, place from records
      where row_id in (select row_id from candidates where ${candidatesAreFew})
        and +${matching(catalogIdOf(scope), filter, [], states)}${holdsWords(words)})
    select total, ${COLUMNS} from (select (select count(*) from found)
        + (select count(*) from records indexed by ${index} where ${matching(catalog, filter, words)}) as total)
      left join (${withinBytes(rowIds, order)}) on true left join records using (row_id)
    order by ${order}`
}
