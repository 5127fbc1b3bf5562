import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../storage/database'
import { int } from '../storage/database'
import type { RecordType } from './record-type'
import { type CatalogScope, catalogIdOf, withinCatalog } from './scope'
import { trigramQuery, wordsOf } from './search-text'
import { type RecordRow, type ReturnedRecord, returnedForm } from './stored-record'

export interface ListFilter {
  /** Free text; blank means absent. */
  q: string
  showInactive: boolean
  /** Milliseconds since the epoch: only records changed later. */
  updatedSince: number | null
}

export interface Page {
  items: ReturnedRecord[]
  count: number
  total: number
  limit: number
  offset: number
  has_more: boolean
}

/**
 * Up to this many hits are looked up one by one; a word with more is found faster by reading the whole list index,
 * which takes some five milliseconds for 50,000 records.
 */
const FEW_HITS = 1500

const NEWEST_FIRST = sql.raw('updated_at desc, place desc, seq desc')

const COLUMNS = sql.raw('record_id, is_active, updated_at, data')

/**
 * One page of a catalog, newest first.
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
): Promise<Page> {
  const [rows, counted] = await db.batch(pageStatements(scope, filter, limit, offset))
  const items = (rows as unknown as RecordRow[]).map((row) => returnedForm(type, row))
  const total = (counted![0]?.total as number | undefined) ?? 0
  return { items, count: items.length, total, limit, offset, has_more: offset + items.length < total }
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
  const trigrams = trigramQuery(words)
  if (trigrams !== null) return searchStatements(scope, filter, words, trigrams, window)
  const catalog = catalogIdOf(scope)
  const page = sql`select ${COLUMNS} from records where seq in (${scan(catalog, filter, words, window)}) order by ${NEWEST_FIRST}`
  if (words.length > 0 || filter.updatedSince !== null) {
    return [
      page,
      sql`select count(*) as total from records indexed by ${indexFor(words)} where ${matching(catalog, filter, words)}`,
    ]
  }
  const counter = filter.showInactive ? sql`total_records` : sql`active_records`
  return [
    page,
    sql`select ${counter} as total from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
  ]
}

/** The index to read; left to itself, the planner looks up every row for its text. */
const indexFor = (words: readonly string[]): SQL =>
  sql.raw(words.length > 0 ? 'records_scan' : 'records_list')

const ACTIVE = sql`is_active = 1`
const INACTIVE = sql`is_active = 0`
const ALL = sql`is_active in (0, 1)`

/**
 * What a record must fulfil. All of it stands in the list index, so that nothing else is read.
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

const containing = (words: readonly string[]): SQL =>
  sql.join(words.map((word) => sql` and instr(search_text, ${word}) > 0`))

/**
 * Row ids of a page, from the list index in its order. Active and inactive records stand in it one after the other and
 * are merged.
 */
function scan(catalog: SQL, filter: ListFilter, words: readonly string[], window: SQL): SQL {
  const of = (states: SQL) =>
    sql`select seq, updated_at, place from records indexed by ${indexFor(words)} where ${matching(catalog, filter, words, states)}`
  const ordered = filter.showInactive ? sql`${of(ACTIVE)} union all ${of(INACTIVE)}` : of(ACTIVE)
  return sql`select seq from (${ordered} order by ${NEWEST_FIRST} ${window})`
}

/**
 * With a word of three letters or more: the trigram index names the candidates of this catalog, and the text of each
 * decides. Where it names too many, they are left alone and the list index is read instead.
 */
function searchStatements(
  scope: CatalogScope,
  filter: ListFilter,
  words: readonly string[],
  trigrams: string,
  window: SQL,
): [SQL, SQL] {
  const candidates = sql`candidates as materialized (select rowid as seq from records_search
    where records_search match ${trigrams} and ${withinCatalog(sql`rowid`, scope)} limit ${int(FEW_HITS + 1)})`
  const few = sql`(select count(*) from candidates) <= ${int(FEW_HITS)}`
  // The unary plus keeps the planner from the list index: the candidates are to be looked up by row id.
  const states = filter.showInactive ? ALL : sql`+is_active = 1`
  const found = sql`select seq, updated_at, place from records where seq in (select seq from candidates where ${few})
    and +${matching(catalogIdOf(scope), filter, words, states)}`
  // A condition on `few` would be asked of every row; a catalog that does not exist has none.
  const catalog = sql`iif(${few}, -1, ${catalogIdOf(scope)})`
  return [
    sql`with ${candidates} select ${COLUMNS} from records where seq in (
        select seq from (${found} order by ${NEWEST_FIRST} ${window}) union all ${scan(catalog, filter, words, window)})
      order by ${NEWEST_FIRST}`,
    sql`with ${candidates} select (select count(*) from (${found}))
      + (select count(*) from records indexed by records_scan where ${matching(catalog, filter, words)}) as total`,
  ]
}
