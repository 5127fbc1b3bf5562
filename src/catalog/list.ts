import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { returnedBytes, withinPageBytes } from '#catalog/sql/page'
import { asPage, type PageRequest } from '#http/page'
import { wordsOf } from '#records/search-text'
import { type RecordRow, returnedForm } from '#records/stored-form'
import { candidatesAreFew, candidatesFor, catalogUnless, holdsWords } from '#search/candidates'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import { int } from '#storage/database'
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

async function readScannedPage(catalog: Catalog, filter: ListFilter, window: SQL): Promise<ReadPage> {
  const { db, scope } = catalog
  const { conditions, tag } = await fieldConditions(catalog, filter)
  const [rows, tagged] = await db.batch([scannedPage(scope, filter, conditions, window), tagStatement(scope)])
  return {
    rows: (rows as unknown as RecordRow[]).filter(({ record_id }) => record_id !== null),
    total: rows![0]!.total as number,
    // The older one: what was written after the conditions were made may be missing from the page.
    tag: tag ?? tagOf(tagged![0] as unknown as TagRow | undefined),
  }
}

/** The records of a page in its order. Their sizes are added up before any of them is read. */
const pageOf = (rowIds: SQL, order: SQL): SQL => {
  const keys = sql`select row_id, updated_at, place, ${returnedBytes} as bytes from records where row_id in (${rowIds})`
  return sql`select ${COLUMNS} from records where row_id in (select row_id from (${withinPageBytes(keys, order)}))
    order by ${order}`
}

function pageStatements(scope: CatalogScope, filter: ListFilter, window: SQL): [SQL, SQL] {
  const words = wordsOf(filter.q)
  if (words.length > 0) return searchStatements(scope, filter, words, window)
  const catalog = catalogIdOf(scope)
  const page = pageOf(orderedRowIds(catalog, filter, [], window), orderOf(filter))
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
 * A page of a search. Its candidates come from the search index. Few candidates are sorted. When there are many, the
 * list is read in its order until the page is full, which does not take long.
 */
function searchStatements(
  scope: CatalogScope,
  filter: ListFilter,
  words: readonly string[],
  window: SQL,
): [SQL, SQL] {
  const wanted = statesOf(filter)
  const candidates = candidatesFor(catalogIdOf(scope), words, wanted !== 'active')
  // The unary plus keeps the planner from using an index: the candidates must be looked up by row id.
  const states = wanted === 'all' ? inStates('all') : sql`+${inStates(wanted)}`
  const found = sql`select row_id, updated_at, place from records
    where row_id in (select row_id from candidates where ${candidatesAreFew}) and +${matching(catalogIdOf(scope), filter, [], states)}${holdsWords(words)}`
  const catalog = catalogUnless(candidatesAreFew, catalogIdOf(scope))
  const index = sql.raw(filter.updated_since === undefined ? 'records_scan' : 'records_list')
  return [
    sql`with ${candidates} ${pageOf(
      sql`select row_id from (${found} order by ${orderOf(filter)} ${window})
        union all ${orderedRowIds(catalog, filter, words, window)}`,
      orderOf(filter),
    )}`,
    sql`with ${candidates} select (select count(*) from (${found}))
      + (select count(*) from records indexed by ${index} where ${matching(catalog, filter, words)}) as total`,
  ]
}
