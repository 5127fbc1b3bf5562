import { type SQL, sql } from 'drizzle-orm'
import { EXPORT_PAGE_ROWS } from '#shared/limits'
import { isMatch, type ListFilter, sortOf, statesOf } from '#worker/catalog/read/filter'
import { matchEverywhere } from '#worker/search/query/record-match'
import { type CatalogKey, numberColumn } from '#worker/storage/catalog-key'
import { int, Parameters } from '#worker/storage/database'
import { catalogRows, type FoundRow, returnedBytes, withinPageBytes } from './page'

/** Lists without an index for their order or conditions. They read the catalog once. */

/** Characters of the folded name by which records are sorted. The rest of a longer name is ignored. */
const SORTED_CHARACTERS = 200

/** Sort keys, and tie-breakers. Names are compared in their folded form. */
function sortKeys(catalogKey: CatalogKey, filter: ListFilter): [key: SQL, tiebreaker: SQL] {
  switch (sortOf(filter).replace('-', '')) {
    case 'id':
      return [sql`record_id`, sql.raw('0')]
    case 'name':
      return [sql`substr(search_text, 2, min(name_length, ${sql.raw(String(SORTED_CHARACTERS))}))`, sql.raw('0')]
    case 'match':
      return [matchKey(catalogKey, filter), sql`name_length`]
    default:
      return [sql`written_at`, sql`position`]
  }
}

/** The order of partner search, then records that contain the words elsewhere in their names. */
function matchKey(catalogKey: CatalogKey, filter: ListFilter): SQL {
  const parameters = new Parameters()
  return parameters.sql(matchEverywhere(parameters, catalogKey, filter.q, statesOf(filter)).sortKey)
}

/** Ties are in the order in which records were first written. */
function scanOrder(filter: ListFilter): SQL {
  const direction = sql.raw(sortOf(filter).startsWith('-') ? 'desc' : 'asc')
  return sql`sort_key ${direction}, sort_tiebreaker ${direction}, row_id ${direction}`
}

/** All matching records: `row_id` and sort keys. */
function matchesOf(catalogKey: CatalogKey, filter: ListFilter, conditions: SQL): SQL {
  const [key, tiebreaker] = sortKeys(catalogKey, filter)
  return sql`select row_id, ${key} as sort_key, ${tiebreaker} as sort_tiebreaker
    from ${catalogRows(catalogKey)} and ${isMatch(catalogKey, filter)}${conditions}`
}

/** A page with the total in each row. An empty page is one row without a `record_id`. */
export function scannedPage(catalogKey: CatalogKey, filter: ListFilter, conditions: SQL, window: SQL): SQL<FoundRow> {
  const order = scanOrder(filter)
  const page = sql`select page_keys.*, ${returnedBytes} as bytes
    from (select * from matches order by ${order} ${window}) as page_keys cross join records using (row_id)`
  return sql`with matches as materialized (${matchesOf(catalogKey, filter, conditions)}),
    page as materialized (${withinPageBytes(page, order)})
    select total, record_id, is_active, written_at, data, added_names
    from (select count(*) as total from matches) left join page on true left join records using (row_id)
    order by ${order}`
}

/** The numbers of all matching records, in their order: one row per portion of an export, separated by commas. */
export function sortedNumbers(catalogKey: CatalogKey, filter: ListFilter, conditions: SQL): SQL<{ numbers: string }> {
  const numbers = sql`select ${numberColumn} as number, row_number() over (order by ${scanOrder(filter)}) - 1 as n
    from (${matchesOf(catalogKey, filter, conditions)})`
  return sql`select group_concat(number, ',' order by n) as numbers from (${numbers})
    group by n / ${int(EXPORT_PAGE_ROWS)} order by n / ${int(EXPORT_PAGE_ROWS)}`
}
