import { type SQL, sql } from 'drizzle-orm'
import { anywhere, queryIn, wholeWord } from '#worker/search/index/tokens'
import { MOST_WORDS } from '#worker/search/index/word-index'
import { firstRowId } from '#worker/storage/catalog-scope'
import { type Put, valuesOf } from '#worker/storage/statement-cache'

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

/** When more words of a catalog than this hold a word of the query, the index is not asked for it. */
const MOST_TERMS = 48

/**
 * Condition: the names and aliases of the record are short enough to be compared. Their size is known without reading
 * them. Real records always meet this condition. Others rank last, and are not found by words that very many records
 * have, because comparing them all would block the database for everybody else.
 */
export const READABLE = sql`octet_length(search_text) <= 20000`

/** Puts a value that depends on the words of a query into a statement. */
export type PutWords = Put<{ words: readonly string[] }>

/** Condition on `search_text`: every word occurs in it. Begins with `and`; empty without words. */
export function containing(words: readonly string[], put: PutWords = valuesOf({ words })): SQL {
  const different = byLength(words).length
  const single = Array.from(
    { length: Math.min(different, SINGLE_WORDS) },
    (_, i) => sql` and instr(search_text, ${put((query) => byLength(query.words)[i]!)}) > 0`,
  )
  if (different <= SINGLE_WORDS) return sql.join(single)
  const rest = put((query) => JSON.stringify(byLength(query.words).slice(SINGLE_WORDS)))
  const all = sql` and not exists (select 1 from json_each(${rest}) where instr(search_text, value) = 0)`
  return sql.join([...single, all])
}

/** The different words, longest first. */
const byLength = (words: readonly string[]): string[] =>
  [...new Set(words)].sort((a, b) => b.length - a.length)

/** What the text of these statements depends on: more words than are bound one by one are bound as one value. */
export const wordsShape = (words: readonly string[]): number =>
  Math.min(byLength(words).length, Math.max(SINGLE_WORDS, INDEXED_WORDS) + 1)

/** A whole number as part of a statement: D1 binds a hundred values at most. */
export const number = (value: number): SQL => sql.raw(value.toFixed(0))

/**
 * Row ids of the catalog that a full-text query names, at most one more than `FEW_CANDIDATES`. None if the query or the
 * catalog is null: newer versions of SQLite refuse null as a full-text query.
 */
export const hitsOf = (catalog: SQL, query: SQL): SQL =>
  sql`select rowid as row_id from records_search where records_search match coalesce(${query}, '""')
    and rowid between ${firstRowId(catalog)} and ${firstRowId(sql`(${catalog} + 1)`)} - 1 limit ${number(FEW_CANDIDATES + 1)}`

/**
 * A full-text query for the records that hold this text within a word, as an expression; null when it is part of too
 * many words. Words that begin with it are a range of tokens. Words that hold it further on are among the words of the
 * catalog.
 */
const termsFor = (catalog: SQL, put: (value: (part: string) => string) => SQL): SQL =>
  sql`(select iif(count(word) > ${number(MOST_TERMS)}, null, '(' || ${queryIn(
    catalog,
    put((part) => anywhere([part])),
  )}
      || coalesce(group_concat(' OR ' || ${wholeWord(catalog, sql`word`)}, ''), '') || ')')
    from (select word from (select word from search_words where catalog_id = ${catalog} limit ${number(MOST_WORDS)})
      where instr(word, ${put((part) => part)}) > 1 limit ${number(MOST_TERMS + 1)}))`

/** The id of a catalog as a table with one row. */
export const ofCatalog = (catalog: SQL): SQL => sql`(select ${catalog} as catalog)`

/** A list in JSON, in place of the rows of a query with the column `row_id`. */
export const idList = (rows: SQL, value = sql`row_id`): SQL =>
  sql`(select json_group_array(${value}) from (${rows}))`

/**
 * Common table expressions that end with `hits`: one row for the catalog, with `row_ids`, a JSON list of the records
 * that the word index names, at most one more than `FEW_CANDIDATES`. They may include inactive records and records
 * that lack some of the words. They are complete if `few`. If also `asked_all`, all of them hold all words. The row
 * has all columns of the table that it comes from, too.
 *
 * Each table is used by the next one alone, because a database plans a common table once more for each use.
 *
 * @param catalogs table with a column `catalog`, the id of the catalog
 * @param words folded; all of them must occur
 * @param unless condition on `catalogs`: nothing is looked up
 */
export function hitsFor(
  catalogs: SQL,
  words: readonly string[],
  unless: SQL = sql`false`,
  put: PutWords = valuesOf({ words }),
): SQL {
  const asked = byLength(words).slice(0, INDEXED_WORDS)
  const names = asked.map((_, i) => sql.raw(`terms_${i}`))
  const terms = names.map((name, i) => {
    const found = termsFor(sql`catalog`, (value) => put((query) => value(byLength(query.words)[i]!)))
    return sql`iif(${unless}, null, ${found}) as ${name}`
  })
  const joined = names.map((name) => sql`coalesce(' AND ' || ${name}, '')`)
  const all = names.map((name) => sql`${name} is not null`)
  return sql`terms as materialized (select *, ${sql.join(terms, sql`, `)} from ${catalogs}),
    asked as materialized (select *, nullif(substr(${sql.join(joined, sql` || `)}, length(' AND ') + 1), '') as query,
      ${sql.join(all, sql` and `)} as asked_all from terms),
    named as materialized (select *, ${idList(hitsOf(sql`catalog`, sql`query`))} as row_ids from asked),
    hits as materialized (select *, query is not null and json_array_length(row_ids) <= ${number(FEW_CANDIDATES)} as few from named)`
}

/** Row ids of a list in JSON. */
export const listed = (list: SQL): SQL => sql`select value as row_id from json_each(${list})`

/** Whether the `hits` of the statement hold all records that match. */
export const hitsAreFew = sql`(select few from hits)`

/** Row ids of the `hits` of the statement; none if they are not few. */
export const FEW_HITS = sql`select value as row_id from hits, json_each(row_ids) where few`

/**
 * Common table expressions that end with `candidates`: `row_id` of the records that may match, at most one more than
 * `FEW_CANDIDATES`. They come from the word index. When the index has no answer, or names too many, they come from
 * the texts of the catalog.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded; all of them must occur
 */
export const candidatesFor = (
  catalog: SQL,
  words: readonly string[],
  inactiveToo: boolean,
  put: PutWords = valuesOf({ words }),
): SQL =>
  sql`${hitsFor(ofCatalog(catalog), words, undefined, put)},
    candidates as materialized (${FEW_HITS}
      union all select row_id from records indexed by records_scan
      where catalog_id = ${catalogUnless(hitsAreFew, catalog)}
        and is_active in (${sql.raw(inactiveToo ? '0, 1' : '1')})${containing(words, put)} limit ${number(FEW_CANDIDATES + 1)})`

/**
 * Condition on `records` that the index has named by their row ids: begins with `and`. The texts are compared only if
 * the index was not asked for every word, because a catalog may have texts that are long to read.
 *
 * @param askedAll whether the row ids are `hits`, and the index was asked for as many words as it may be
 */
export function holdsWords(
  words: readonly string[],
  askedAll: SQL = sql`(select few and asked_all from hits)`,
  put: PutWords = valuesOf({ words }),
): SQL {
  if (byLength(words).length > INDEXED_WORDS) return containing(words, put)
  return sql` and (${askedAll} or (true${containing(words, put)}))`
}

/** Whether the `candidates` of the statement are complete. */
export const candidatesAreFew = sql`(select count(*) from candidates) <= ${number(FEW_CANDIDATES)}`

/**
 * The catalog's id, or an id that no catalog has when a condition on the whole statement holds. A separate condition
 * would be checked for every row.
 */
export const catalogUnless = (condition: SQL, catalog: SQL): SQL => sql`iif(${condition}, -1, ${catalog})`
