import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { returnedBytes, withinPageBytes } from '#catalog/sql/page'
import type { RecordType } from '#records/record-type'
import { wordsOf } from '#records/search-text'
import { type RecordRow, returnedForm } from '#records/stored-form'
import { candidatesAreFew, candidatesFor, catalogUnless, containing, holdsWords } from '#search/candidates'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import type { Database } from '#storage/database'
import { int } from '#storage/database'
import type { recordPage } from './schemas'
import { type TagRow, tagOf, tagStatement } from './tag'

export interface ListFilter {
  /** Free text; blank means absent. */
  q: string
  showInactive: boolean
  /** Milliseconds since the epoch: only records changed later. */
  updatedSince: number | null
}

const NEWEST_FIRST = sql.raw('updated_at desc, place desc, row_id desc')

const COLUMNS = sql.raw('record_id, is_active, updated_at, data')

/**
 * One page of a catalog, newest first, and the entity tag of the catalog. Ends early when it reaches `MAX_PAGE_BYTES`.
 *
 * @param limit 1 to 1000
 * @param offset records to skip
 */
export async function listRecords(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  filter: ListFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ page: z.output<typeof recordPage>; tag: string }> {
  const statements = [...pageStatements(scope, filter, limit, offset), tagStatement(scope)]
  const [rows, counted, tagged] = await db.batch(statements)
  const items = (rows as unknown as RecordRow[]).map((row) => returnedForm(type, row))
  const total = (counted![0]?.total as number | undefined) ?? 0
  const page = { items, count: items.length, total, limit, offset, has_more: offset + items.length < total }
  return { page, tag: tagOf(tagged![0] as unknown as TagRow | undefined) }
}

/** The records of a page in its order. Their sizes are added up before any of them is read. */
const pageOf = (rowIds: SQL): SQL => {
  const keys = sql`select row_id, updated_at, place, ${returnedBytes} as bytes from records where row_id in (${rowIds})`
  return sql`select ${COLUMNS} from records where row_id in (select row_id from (${withinPageBytes(keys, NEWEST_FIRST)}))
    order by ${NEWEST_FIRST}`
}

/** A statement for the rows of a page and one for the total. */
export function pageStatements(
  scope: CatalogScope,
  filter: ListFilter,
  limit: number,
  offset: number,
): [SQL, SQL] {
  const words = wordsOf(filter.q)
  const window = sql`limit ${int(limit)} offset ${int(offset)}`
  if (words.length > 0) return searchStatements(scope, filter, words, window)
  const catalog = catalogIdOf(scope)
  const page = pageOf(orderedRowIds(catalog, filter, [], window))
  if (filter.updatedSince !== null) {
    return [
      page,
      sql`select count(*) as total from records indexed by records_list where ${matching(catalog, filter, [])}`,
    ]
  }
  const counter = filter.showInactive ? sql`total_records` : sql`active_records`
  return [
    page,
    sql`select ${counter} as total from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
  ]
}

const ACTIVE = sql`is_active = 1`
const INACTIVE = sql`is_active = 0`
const ALL = sql`is_active in (0, 1)`

/**
 * The conditions that a record must meet.
 *
 * @param catalog the catalog's id, as an expression
 */
export const matching = (
  catalog: SQL,
  filter: ListFilter,
  words: readonly string[],
  states: SQL = filter.showInactive ? ALL : ACTIVE,
): SQL => sql`catalog_id = ${catalog} and ${states}${changedSince(filter)}${containing(words)}`

const changedSince = ({ updatedSince }: ListFilter): SQL =>
  updatedSince === null ? sql.empty() : sql` and updated_at > ${int(updatedSince)}`

/**
 * Row ids of a page in its order. The index has the active records after the inactive ones, so both are read and
 * merged.
 */
function orderedRowIds(catalog: SQL, filter: ListFilter, words: readonly string[], window: SQL): SQL {
  const of = (states: SQL) =>
    sql`select row_id, updated_at, place from records indexed by records_list
      where ${matching(catalog, filter, words, states)}`
  const ordered = filter.showInactive ? sql`${of(ACTIVE)} union all ${of(INACTIVE)}` : of(ACTIVE)
  return sql`select row_id from (${ordered} order by ${NEWEST_FIRST} ${window})`
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
  const candidates = candidatesFor(catalogIdOf(scope), words, filter.showInactive)
  // The unary plus keeps the planner from using an index: the candidates must be lookedUp up by row id.
  const states = filter.showInactive ? ALL : sql`+is_active = 1`
  const found = sql`select row_id, updated_at, place from records
    where row_id in (select row_id from candidates where ${candidatesAreFew}) and +${matching(catalogIdOf(scope), filter, [], states)}${holdsWords(words)}`
  const catalog = catalogUnless(candidatesAreFew, catalogIdOf(scope))
  const index = sql.raw(filter.updatedSince === null ? 'records_scan' : 'records_list')
  return [
    sql`with ${candidates} ${pageOf(sql`select row_id from (${found} order by ${NEWEST_FIRST} ${window})
        union all ${orderedRowIds(catalog, filter, words, window)}`)}`,
    sql`with ${candidates} select (select count(*) from (${found}))
      + (select count(*) from records indexed by ${index} where ${matching(catalog, filter, words)}) as total`,
  ]
}
