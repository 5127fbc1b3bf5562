import { type SQL, sql } from 'drizzle-orm'
import { firstRowId } from '#storage/catalog-scope'
import type { SearchedCatalog } from './matches'
import { PLACES } from './word-index'

/**
 * Up to this many candidates are looked up one by one. More of them are too many to sort, and so frequent that a page
 * of them is found sooner by reading the catalog in the order that is wanted.
 */
export const FEW_CANDIDATES = 1500

/** Words that are compared one by one; the rest of a longer query is one more value: D1 binds a hundred at most. */
const SINGLE_WORDS = 3

/** Words of a query by which its candidates are found, the longest ones; the others are compared. */
const INDEXED_WORDS = 3

/** Words of a catalog, with their places, that may hold a word of a query for the index to be asked for them. */
const MOST_TERMS = 48

/**
 * Condition: the names and aliases of the record are short enough to be compared; their size stands before them and is
 * known without reading them. Those of a real record are. Others rank last, and are not found by words that are in very
 * many records: comparing them all would keep the database from everybody else.
 */
export const READABLE = sql`octet_length(search_text) <= 20000`

/** Condition on `search_text`: every word occurs in it. Begins with `and`; empty without words. */
export function containing(words: readonly string[]): SQL {
  const longestFirst = byLength(words)
  const single = longestFirst.slice(0, SINGLE_WORDS).map((word) => sql` and instr(search_text, ${word}) > 0`)
  const rest = longestFirst.slice(SINGLE_WORDS)
  if (rest.length === 0) return sql.join(single)
  const all = sql` and not exists (select 1 from json_each(${JSON.stringify(rest)}) where instr(search_text, value) = 0)`
  return sql.join([...single, all])
}

const byLength = (words: readonly string[]): string[] =>
  [...new Set(words)].sort((a, b) => b.length - a.length)

/** A whole number as part of a statement: D1 binds a hundred values at most. */
export const number = (value: number): SQL => sql.raw(value.toFixed(0))

/** A string of the full-text query language. */
const quoted = (text: SQL): SQL => sql`'"' || replace(${text}, '"', '""') || '"'`

/** Row ids of the catalog that a full-text query names, one more than `FEW_CANDIDATES` at the most. */
export const hitsOf = (catalog: SQL, query: SQL): SQL =>
  sql`select rowid as row_id from records_search where records_search match ${query}
    and rowid between ${firstRowId(catalog)} and ${firstRowId(sql`(${catalog} + 1)`)} - 1 limit ${number(FEW_CANDIDATES + 1)}`

/**
 * A full-text query for the records that hold this text within a word, as an expression: null where it is part of too
 * many words. Those that words begin with are asked for as a range of tokens; the words that have it further on are
 * found among the words of the catalog.
 */
function termsFor(catalog: SQL, part: string): SQL {
  const beginnings = Object.values(PLACES).map(
    (place) => sql`${quoted(sql`${catalog} || '${sql.raw(place)}' || ${part}`)} || '*'`,
  )
  return sql`select iif(count(*) > ${number(MOST_TERMS)}, null, '(' || ${sql.join(beginnings, sql` || ' OR ' || `)}
      || coalesce(group_concat(' OR ' || ${quoted(sql`${catalog} || place || word`)}, ''), '') || ')') as terms
    from (select word, place from search_words where catalog_id = ${catalog} and instr(word, ${part}) > 1
      limit ${number(MOST_TERMS + 1)})`
}

/** Common table expressions that end with `asked`: one row with the full-text `query` of all words, or null. */
function askedFor(catalog: SQL, words: readonly string[]): SQL {
  const terms = byLength(words)
    .slice(0, INDEXED_WORDS)
    .map((word) => termsFor(catalog, word))
  return sql`terms as materialized (${sql.join(terms, sql` union all `)}),
    asked as materialized (select group_concat(terms, ' AND ') as query from terms where terms is not null)`
}

/**
 * Common table expressions that end with `hits`: `row_id` of the records that the word index names, one more than
 * `FEW_CANDIDATES` at the most. They may be too many (inactive ones, and those that lack some of the words), and are
 * all where `hitsAreFew`.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded; all of them must occur
 */
export const hitsFor = (catalog: SQL, words: readonly string[]): SQL =>
  sql`${askedFor(catalog, words)},
    hits as materialized (${hitsOf(catalog, sql`(select coalesce(query, '""') from asked)`)})`

/**
 * Common table expressions that end with `candidates`: `row_id` of the records that may match, one more than
 * `FEW_CANDIDATES` at the most. They come from the word index; where it has no answer, or names more than a few, from
 * reading the texts of the catalog.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded; all of them must occur
 */
export const candidatesFor = (catalog: SQL, words: readonly string[], inactiveToo: boolean): SQL =>
  sql`${hitsFor(catalog, words)},
    candidates as materialized (select row_id from hits where ${hitsAreFew}
      union all select row_id from records indexed by records_scan
      where catalog_id = ${noCatalogWhere(hitsAreFew, catalog)}
        and is_active in (${sql.raw(inactiveToo ? '0, 1' : '1')})${containing(words)} limit ${number(FEW_CANDIDATES + 1)})`

const fewIn = (table: 'hits' | 'candidates'): SQL =>
  sql`(select count(*) from ${sql.raw(table)}) <= ${number(FEW_CANDIDATES)}`

/** Whether the `hits` of the statement hold all records that match. */
export const hitsAreFew = sql`((select query is not null from asked) and ${fewIn('hits')})`

/**
 * Condition on `records` of which the index has named the row ids: begins with `and`. The texts are compared only where
 * the index was not asked for every word, because a catalog may have texts that are long to read.
 */
export function holding(words: readonly string[]): SQL {
  const count = byLength(words).length
  if (count > INDEXED_WORDS) return containing(words)
  const asked = sql`(select count(*) from terms where terms is not null) = ${number(count)}`
  return sql` and ((${hitsAreFew} and ${asked}) or (true${containing(words)}))`
}

/** Whether the `candidates` of the statement are all that there are. */
export const areFew = fewIn('candidates')

/**
 * The catalog's id, or one that no catalog has where a condition on the whole statement holds. As a condition of its own
 * it would be asked of every row.
 */
export const noCatalogWhere = (condition: SQL, catalog: SQL): SQL => sql`iif(${condition}, -1, ${catalog})`

/** Condition that the catalog is the workspace's own, whatever its id says. */
export const belonging = ({ catalogId, workspaceId, type }: SearchedCatalog): SQL =>
  sql`exists (select 1 from catalogs where catalog_id = ${number(catalogId)} and workspace_id = ${workspaceId} and type = ${type})`
