import { type SQL, sql } from 'drizzle-orm'
import { asksEverywhere, type ListFilter, matching } from '#catalog/read/filter'
import { catalogRows } from '#catalog/read/sql/stored-values'
import { EXPORT_PAGE_ROWS } from '#limits'
import { wordsOf } from '#records/search-text'
import { type CatalogScope, catalogIdOf, numberColumn } from '#storage/catalog-scope'
import { int } from '#storage/database'
import { type FoundRow, returnedBytes, withinPageBytes } from './page'

/** Lists that no index has the order or the conditions of: they read the catalog once. */

/** Characters of the folded name by which records are sorted; the rest of a longer name does not count. */
const SORTED_CHARACTERS = 200

/** What records are sorted by, as one value. Names are compared as search folds them. */
const KEYS: Readonly<Record<string, SQL>> = {
  id: sql`record_id`,
  name: sql`substr(search_text, 2, min(name_length, ${sql.raw(String(SORTED_CHARACTERS))}))`,
  updated_at: sql`updated_at`,
}

const sortOf = ({ sort = '-updated_at' }: ListFilter) => sort

/** Among equals as they were written. */
function orderOf(filter: ListFilter): SQL {
  const direction = sql.raw(sortOf(filter).startsWith('-') ? 'desc' : 'asc')
  return sql`sort_key ${direction}, sort_place ${direction}, row_id ${direction}`
}

/** Every record that matches: `row_id` and what it is sorted by. */
function foundBy(scope: CatalogScope, filter: ListFilter, conditions: SQL): SQL {
  const words = asksEverywhere(filter) ? [] : wordsOf(filter.q)
  const key = sortOf(filter).replace('-', '')
  return sql`select row_id, ${KEYS[key]!} as sort_key, ${sql.raw(key === 'updated_at' ? 'place' : '0')} as sort_place
    from ${catalogRows(scope)} and ${matching(catalogIdOf(scope), { filter, words })}${conditions}`
}

/** A page with the total in each row. An empty page is one row without a `record_id`. */
export function scannedPage(
  scope: CatalogScope,
  filter: ListFilter,
  conditions: SQL,
  window: SQL,
): SQL<FoundRow> {
  const order = orderOf(filter)
  const page = sql`select wanted.*, ${returnedBytes} as bytes
    from (select * from found order by ${order} ${window}) as wanted cross join records using (row_id)`
  return sql`with found as materialized (${foundBy(scope, filter, conditions)}),
    page as materialized (${withinPageBytes(page, order)})
    select total, record_id, is_active, updated_at, data
    from (select count(*) as total from found) left join page on true left join records using (row_id)
    order by ${order}`
}

/**
 * The numbers of all records that match, in their order: a row for each portion of an export, with the numbers between
 * commas.
 */
export function sortedNumbers(
  scope: CatalogScope,
  filter: ListFilter,
  conditions: SQL,
): SQL<{ numbers: string }> {
  const found = sql`select ${numberColumn} as number, row_number() over (order by ${orderOf(filter)}) - 1 as n
    from (${foundBy(scope, filter, conditions)})`
  return sql`select group_concat(number, ',' order by n) as numbers from (${found})
    group by n / ${int(EXPORT_PAGE_ROWS)} order by n / ${int(EXPORT_PAGE_ROWS)}`
}
