import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../storage/database'
import { int } from '../storage/database'
import type { RecordType } from './record-type'
import { trigramQuery, wordsOf } from './search-text'
import { type RecordRow, type ReturnedRecord, returnedForm } from './stored-record'
import {
  type CatalogScope,
  catalogIdOf,
  changedAfter,
  updatedAtColumn,
  withinCatalog,
} from './write-statements'

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

const NEWEST_FIRST = sql.raw('written desc, seq desc')

const COLUMNS = sql`record_id, is_active, ${updatedAtColumn} as updated_at, data`

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
  const page = sql`select ${COLUMNS} from records where seq in (${inOrder(scope, filter, words, window)}) order by ${NEWEST_FIRST}`
  if (words.length === 0 && filter.updatedSince === null) {
    const column = filter.showInactive ? sql`total_records` : sql`active_records`
    return [
      page,
      sql`select ${column} as total from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
    ]
  }
  return [
    page,
    sql`select count(*) as total from records where ${matching(scope, filter, words, statesOf(filter))}`,
  ]
}

type States = 'active' | 'inactive' | 'all'

const STATES: Readonly<Record<States, SQL>> = {
  active: sql`is_active = 1`,
  inactive: sql`is_active = 0`,
  all: sql`is_active in (0, 1)`,
}

const statesOf = (filter: ListFilter): States => (filter.showInactive ? 'all' : 'active')

/** What a record must fulfil. All of it stands in the list index, so that nothing else is read. */
export function matching(
  scope: CatalogScope,
  filter: ListFilter,
  words: readonly string[],
  states: States,
): SQL {
  const conditions = [
    sql`catalog_id = ${catalogIdOf(scope)}`,
    STATES[states],
    ...(filter.updatedSince === null ? [] : [changedAfter(filter.updatedSince)]),
    ...words.map((word) => sql`instr(search_text, ${word}) > 0`),
  ]
  return sql.join(conditions, sql` and `)
}

/** Row ids of a page. Active and inactive records are merged: the index has them one after the other. */
function inOrder(scope: CatalogScope, filter: ListFilter, words: readonly string[], window: SQL): SQL {
  const of = (states: States) =>
    sql`select seq, written from records where ${matching(scope, filter, words, states)}`
  const ordered = filter.showInactive ? sql`${of('active')} union all ${of('inactive')}` : of('active')
  return sql`select seq from (${ordered} order by ${NEWEST_FIRST} ${window})`
}

/**
 * With a word of three letters or more: the trigram index names the candidates of this catalog, and the text of each
 * decides. Where it names too many, they are dropped and the list index is read instead.
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
  const match = matching(scope, filter, words, statesOf(filter))
  const found = sql`select seq, written from records where ${few} and seq in (select seq from candidates) and ${match}`
  const scanned = sql`select seq, written from records where not ${few} and ${match}`
  return [
    sql`with ${candidates}, matches as (${found} union all ${scanned})
      select ${COLUMNS} from records where seq in (select seq from matches order by ${NEWEST_FIRST} ${window}) order by ${NEWEST_FIRST}`,
    sql`with ${candidates} select (select count(*) from (${found})) + (select count(*) from (${scanned})) as total`,
  ]
}
