import { type SQL, sql } from 'drizzle-orm'
import { firstRowId } from '#storage/catalog-scope'
import { PLACES } from './word-index'

/**
 * Up to this many candidates are looked up one by one. More are too many to sort. They are also so frequent that it
 * is faster to read the catalog in the wanted order until a page is full.
 */
export const FEW_CANDIDATES = 1500

/**
 * Words that are bound one by one. The other words of a long query are bound as one value: D1 binds a hundred values
 * at most.
 */
const SINGLE_WORDS = 3

/** The longest words of a query find the candidates in the index; the others are compared with the texts. */
const INDEXED_WORDS = 3

/**
 * When more words of a catalog (with their places) than this hold a word of the query, the index is not asked for it.
 */
const MOST_TERMS = 48

/**
 * Condition: the names and aliases of the record are short enough to be compared. Their size is known without reading
 * them. Real records always meet this condition. Others rank last, and are not found by words that very many records
 * have, because comparing them all would block the database for everybody else.
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

/**
 * Row ids of the catalog that a full-text query names, at most one more than `FEW_CANDIDATES`. None where the query or the
 * catalog is null: newer versions of SQLite refuse null as a full-text query.
 */
export const hitsOf = (catalog: SQL, query: SQL): SQL =>
  sql`select rowid as row_id from records_search where records_search match coalesce(${query}, '""')
    and rowid between ${firstRowId(catalog)} and ${firstRowId(sql`(${catalog} + 1)`)} - 1 limit ${number(FEW_CANDIDATES + 1)}`

/**
 * A full-text query for the records that hold this text within a word, as an expression; null when it is part of too
 * many words. Words that begin with it are a range of tokens. Words that hold it further on come from the words of
 * the catalog.
 */
function termsFor(catalog: SQL, part: string): SQL {
  // The id is a column, because each use of an expression is planned once more.
  const beginnings = Object.values(PLACES).map(
    (place) => sql`${quoted(sql`id || '${sql.raw(place)}' || ${part}`)} || '*'`,
  )
  return sql`select iif(count(word) > ${number(MOST_TERMS)}, null, '(' || ${sql.join(beginnings, sql` || ' OR ' || `)}
      || coalesce(group_concat(' OR ' || ${quoted(sql`id || place || word`)}, ''), '') || ')') as terms
    from (select id, word, place from (select ${catalog} as id)
      left join search_words on catalog_id = id and instr(word, ${part}) > 1 limit ${number(MOST_TERMS + 1)})`
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
 * Common table expressions that end with `hits`: `row_id` of the records that the word index names, at most one more
 * than `FEW_CANDIDATES`. They may include inactive records and records that lack some of the words. They are complete
 * when `hitsAreFew`.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded; all of them must occur
 */
export const hitsFor = (catalog: SQL, words: readonly string[]): SQL =>
  sql`${askedFor(catalog, words)},
    hits as materialized (${hitsOf(catalog, sql`(select query from asked)`)})`

/**
 * Common table expressions that end with `candidates`: `row_id` of the records that may match, at most one more than
 * `FEW_CANDIDATES`. They come from the word index. When the index has no answer, or names too many, they come from
 * the texts of the catalog.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded; all of them must occur
 */
export const candidatesFor = (catalog: SQL, words: readonly string[], inactiveToo: boolean): SQL =>
  sql`${hitsFor(catalog, words)},
    candidates as materialized (select row_id from hits where ${hitsAreFew}
      union all select row_id from records indexed by records_scan
      where catalog_id = ${catalogUnless(hitsAreFew, catalog)}
        and is_active in (${sql.raw(inactiveToo ? '0, 1' : '1')})${containing(words)} limit ${number(FEW_CANDIDATES + 1)})`

const fewIn = (table: 'hits' | 'candidates'): SQL =>
  sql`(select count(*) from ${sql.raw(table)}) <= ${number(FEW_CANDIDATES)}`

/** Whether the `hits` of the statement hold all records that match. */
export const hitsAreFew = sql`((select query is not null from asked) and ${fewIn('hits')})`

/**
 * Condition on `records` of which the index has named the row ids: begins with `and`. The texts are compared only where
 * the index was not asked for every word, because a catalog may have texts that are long to read.
 *
 * @param areHits whether the row ids are those of `hits`
 */
export function holdsWords(words: readonly string[], areHits: SQL = hitsAreFew): SQL {
  const count = byLength(words).length
  if (count > INDEXED_WORDS) return containing(words)
  const asked = sql`(select count(*) from terms where terms is not null) = ${number(count)}`
  return sql` and ((${areHits} and ${asked}) or (true${containing(words)}))`
}

/** Whether the `candidates` of the statement are complete. */
export const candidatesAreFew = fewIn('candidates')

/**
 * The catalog's id, or an id that no catalog has when a condition on the whole statement holds. A separate condition
 * would be checked for every row.
 */
export const catalogUnless = (condition: SQL, catalog: SQL): SQL => sql`iif(${condition}, -1, ${catalog})`
