import { listedWords, mayHold, queryIn, wholeWord, wordBeginnings } from '#worker/search/index/word-index'
import { NUMBER_BITS } from '#worker/storage/catalog-key'
import type { Parameters } from '#worker/storage/database'

/** Parts of statements that find records by words. They are texts with numbered parameters. */

/**
 * Up to this many candidates are looked up one by one. More are too many to sort. They are also so frequent that it
 * is faster to read the texts of the catalog.
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

/** The different words, longest first. */
const byLength = (words: readonly string[]): string[] => [...new Set(words)].sort((a, b) => b.length - a.length)

/** Condition on `search_text`: every word occurs in it. Begins with `and`; empty without words. */
export function containsWords(parameters: Parameters, words: readonly string[]): string {
  const different = byLength(words)
  const single = different
    .slice(0, SINGLE_WORDS)
    .map((word) => ` and instr(search_text, ${parameters.of(word)}) > 0`)
    .join('')
  if (different.length <= SINGLE_WORDS) return single
  const rest = parameters.of(JSON.stringify(different.slice(SINGLE_WORDS)))
  return `${single} and not exists (select 1 from json_each(${rest}) where instr(search_text, value) = 0)`
}

/** The id of a catalog as an expression; null if there is none. @param workspace as an expression */
export const catalogIn = (workspace: string, type: string): string =>
  `(select catalog_id from catalogs where workspace_id = ${workspace} and type = ${type})`

/**
 * Row ids of the catalog that a full-text query names, at most one more than `FEW_CANDIDATES`. None if the query or the
 * catalog is null: newer versions of SQLite refuse null as a full-text query.
 */
export const hitsOf = (catalog: string, query: string): string =>
  `select rowid as row_id from records_search where records_search match coalesce(${query}, '""')
    and rowid between (${catalog} << ${NUMBER_BITS}) and ((${catalog} + 1) << ${NUMBER_BITS}) - 1
    limit ${FEW_CANDIDATES + 1}`

/** The rows of a query as a JSON list: an expression. */
export const listOf = (rows: string, value = 'row_id'): string => `(select json_group_array(${value}) from (${rows}))`

/**
 * A full-text query for the records that hold this text within a word, as an expression; null when it is part of too
 * many words. Words that begin with it are a range of tokens. Words that hold it further on are in the lists of the
 * catalog's words.
 */
const termsFor = (parameters: Parameters, catalog: string, text: string): string =>
  `(select iif(count(word) > ${MOST_TERMS}, null, '(' || ${queryIn(parameters, wordBeginnings([text]), catalog)}
      || coalesce(group_concat(' OR ' || ${wholeWord(catalog, 'word')}, ''), '') || ')')
    from (select word from ${listedWords(catalog, mayHold(parameters, text))}
      where instr(word, ${parameters.of(text)}) > 1 limit ${MOST_TERMS + 1}))`

/**
 * Common table expressions that end with `hits`: one row for the catalog, with `row_ids`, a JSON list of the records
 * that the word index names, at most one more than `FEW_CANDIDATES`. They may include inactive records and records
 * that lack some of the words. They are complete if `few`. If also `all_asked`, all of them hold all words. The row
 * has all columns of the table that it comes from, too.
 *
 * Each table is used by the next one alone, because a database plans a common table once more for each use.
 *
 * @param catalogs table with a column `catalog`, the id of the catalog
 * @param words folded; all of them must occur
 * @param unless condition on `catalogs`: nothing is looked up
 */
export function hitsFor(parameters: Parameters, catalogs: string, words: readonly string[], unless = 'false'): string {
  const terms = byLength(words)
    .slice(0, INDEXED_WORDS)
    .map((word, i) => ({ name: `terms_${i}`, query: termsFor(parameters, 'catalog', word) }))
  const columns = terms.map(({ name, query }) => `iif(${unless}, null, ${query}) as ${name}`)
  const parts = terms.map(({ name }) => `coalesce(' AND ' || ${name}, '')`)
  const conditions = terms.map(({ name }) => `${name} is not null`)
  return `terms as materialized (select *, ${columns.join(', ')} from ${catalogs}),
    queries as materialized (select *, nullif(substr(${parts.join(' || ')}, length(' AND ') + 1), '') as query,
      ${conditions.join(' and ')} as all_asked from terms),
    row_id_lists as materialized (select *, ${listOf(hitsOf('catalog', 'query'))} as row_ids from queries),
    hits as materialized (select *,
      query is not null and json_array_length(row_ids) <= ${FEW_CANDIDATES} as few from row_id_lists)`
}

/**
 * Condition on `records` that the index has named by their row ids: begins with `and`. The texts are compared only if
 * the index was not asked for every word, because a catalog may have texts that are long to read.
 *
 * @param allAsked whether the row ids are `hits`, and the index was asked for as many words as it may be
 */
export function holdsWords(parameters: Parameters, words: readonly string[], allAsked: string): string {
  const condition = containsWords(parameters, words)
  return byLength(words).length > INDEXED_WORDS ? condition : ` and (${allAsked} or (true${condition}))`
}

/** Whether the `candidates` of a statement are complete. */
export const candidatesAreFew = `(select count(*) from candidates) <= ${FEW_CANDIDATES}`

/**
 * Common table expressions that end with `candidates`: `row_id` of the records that may match, at most one more than
 * `FEW_CANDIDATES`. They come from the word index. When the index has no answer, or names too many, they come from
 * the texts of the catalog.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded; all of them must occur
 */
export const candidatesFor = (
  parameters: Parameters,
  catalog: string,
  words: readonly string[],
  inactiveToo: boolean,
): string =>
  `${hitsFor(parameters, `(select ${catalog} as catalog)`, words)},
    candidates as materialized (select value as row_id from hits, json_each(row_ids) where few
      union all select row_id from records indexed by records_scan
      where catalog_id = iif((select few from hits), -1, ${catalog})
        and is_active in (${inactiveToo ? '0, 1' : '1'})${containsWords(parameters, words)}
      limit ${FEW_CANDIDATES + 1})`
