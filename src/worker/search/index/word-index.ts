import { type SQL, sql } from 'drizzle-orm'
import {
  ALIAS_LINE_BREAK,
  ALIAS_SPACE,
  CODE_BREAK,
  FACT_BREAK,
  NAME_LINE_BREAK,
  NAME_SPACE,
  OTHER_PART,
} from '#shared/records/search/search-text'
import type { Parameters } from '#worker/storage/database'

/**
 * The word index: which records of a catalog contain which words, facts and codes, and where.
 *
 * - `records_search` is a full-text table of tokens. `12aaspirin` means that a name in catalog 12 begins with the word
 *   "aspirin"; `12xaaspirin` means the same for an inactive record. Tokens of different catalogs share no prefix, so
 *   other catalogs and inactive records do not slow down a search.
 * - `records_terms` lists the tokens of that table in order.
 * - `search_words` has the distinct words of a catalog, as one JSON list per two first letters. Words that contain some
 *   letters, or that are similar to a word, are found in a few hundred lists instead of all texts, and a pre-filter
 *   skips most lists. Words of inactive records are included. A word that no record contains anymore leads to no
 *   record, and the scheduled run purges it (`upkeep.ts`).
 */

/** The place of a token: the letter between catalog and word. Places of words come first. */
export const PLACES = {
  /** The first word of a name or a display name. */
  nameStart: 'a',
  /** Another word of a name, or a word of an alias. */
  nameOrAlias: 'b',
  /** A word of another field: generics, strength, term. */
  other: 'c',
  /** An id or a code. */
  code: 'd',
  fact: 'e',
} as const

type Place = (typeof PLACES)[keyof typeof PLACES]

/** Precedes the place in the tokens of inactive records. */
const INACTIVE = 'x'

/** Up to this many records, it is faster to read the words of their texts than all tokens of a catalog. */
export const FEW_RECORDS = 1000

/**
 * Most words that one write adds and that one search reads from lists: ten times those of a large formulary. Further
 * words are only found by their beginnings.
 */
const MOST_WORDS = 200_000

/** Number of first letters that the words of a list share. */
export const LIST_BEGINNING = 2

/** Bytes of words in a list, after which it accepts no more: a row of D1 has at most 2 MB. */
const MOST_LIST_BYTES = 250_000

// Writing.

const replaced = (text: SQL, replacements: readonly (readonly [from: string, to: SQL])[]): SQL =>
  replacements.reduce((done, [from, to]) => sql`replace(${done}, ${from}, ${to})`, text)

const mark = (place: Place): SQL => sql`' ' || prefix || ${place}`

/** The tokens of a row's names and aliases. The space is replaced first, because every mark begins with one. */
const nameTokens = replaced(sql`names`, [
  [NAME_SPACE, mark(PLACES.nameOrAlias)],
  [NAME_LINE_BREAK, mark(PLACES.nameStart)],
  [ALIAS_LINE_BREAK, mark(PLACES.nameOrAlias)],
  [ALIAS_SPACE, mark(PLACES.nameOrAlias)],
])

const otherTokens = replaced(sql`other`, [
  [ALIAS_LINE_BREAK, mark(PLACES.other)],
  [ALIAS_SPACE, mark(PLACES.other)],
  [FACT_BREAK, mark(PLACES.fact)],
])

const codeTokens = replaced(sql`codes`, [[CODE_BREAK, mark(PLACES.code)]])

const addedEnd = `instr(added_names, char(${OTHER_PART.charCodeAt(0)}))`

/** The search text of a row of `records` including added names, which count as aliases; see `addedNamesText`. */
export const SEARCHED_TEXT = `iif(added_names = '', search_text,
      substr(added_names, 1, ${addedEnd} - 1) || search_text || substr(added_names, ${addedEnd} + 1))`

/** Rows of `records` with that text as `search_text`, computed once per row (`limit -1`). */
const searchedRows = (which: SQL): SQL =>
  sql`(select row_id, catalog_id, is_active, codes, ${sql.raw(SEARCHED_TEXT)} as search_text
    from records where ${which} limit -1)`

/** Where the names and aliases of a search text end. */
const namesEnd = sql`instr(search_text, ${OTHER_PART})`

const LINE_ENDS = NAME_LINE_BREAK + ALIAS_LINE_BREAK + FACT_BREAK

/** The parts of the texts of rows of `records`, without outer separators, computed once per row (`limit -1`). */
const textParts = (which: SQL): SQL =>
  sql`(select row_id, catalog_id || iif(is_active, '', ${INACTIVE}) as prefix, rtrim(codes, ${CODE_BREAK}) as codes,
      rtrim(substr(search_text, 1, ${namesEnd} - 1), ${LINE_ENDS}) as names,
      rtrim(substr(search_text, ${namesEnd} + 1), ${LINE_ENDS}) as other
    from ${searchedRows(which)} limit -1)`

/** The words of a search text as a JSON list; some of its elements are empty. */
const wordList = sql`'["' || ${replaced(
  sql`substr(search_text, 1, coalesce(nullif(instr(search_text, ${FACT_BREAK}), 0), length(search_text) + 1) - 1)`,
  [NAME_SPACE, NAME_LINE_BREAK, ALIAS_LINE_BREAK, ALIAS_SPACE, OTHER_PART].map((from) => [from, sql`'","'`]),
)} || '"]'`

export const unindexRecords = (which: SQL): SQL =>
  sql`delete from records_search where rowid in (select row_id from records where ${which})`

/** Adds records to the index. @param which condition on `records`, for records that are not in the index */
export const indexRecords = (which: SQL): SQL =>
  sql`insert into records_search (rowid, tokens)
    select row_id, ${nameTokens} || ${otherTokens} || ${codeTokens} from ${textParts(which)}`

/**
 * Adds the words of records, which are already in the index, to the lists of their catalog.
 *
 * @param which condition on `records`
 * @param few whether there are at most `FEW_RECORDS` of them, as an expression
 */
export const listNewWords = (catalog: SQL, which: SQL, few: SQL): SQL =>
  listWords(
    catalog,
    sql`${newWordsOf(catalog, sql`${few} and ${which}`)}
      union ${wordsOfCatalog(catalog, sql`not ${few} and exists (select 1 from records where ${which})`)}`,
    few,
  )

/** Rebuilds the lists from the words that the catalog's records contain. */
export const listWordsAgain = (catalog: SQL): SQL[] => [
  sql`delete from search_words where catalog_id = ${catalog}`,
  listWords(catalog, sql`select distinct word from (${wordsOfCatalog(catalog, sql`true`)})`, sql`false`),
]

const newWordsOf = (catalog: SQL, which: SQL): SQL =>
  sql`select word from (
      select distinct word.value as word
      from (select ${wordList} as words from ${searchedRows(which)}) cross join json_each(words) as word
      where word.value <> '')
    where not exists (select 1 from search_words
      where catalog_id = ${catalog} and beginning = substr(word, 1, ${sql.raw(String(LIST_BEGINNING))})
        and instr(words, '"' || word || '"') > 0)`

/** All words of the catalog, if the condition is true. */
const wordsOfCatalog = (catalog: SQL, condition: SQL): SQL =>
  sql`select substr(term, length(prefix) + 2) as word
    from (select id || column1 as prefix
      from (select ${catalog} as id where ${condition}) cross join (values (''), (${INACTIVE})))
      cross join records_terms
    where term >= prefix || ${PLACES.nameStart} and term < prefix || ${PLACES.code}
      and length(term) > length(prefix) + 1`

/**
 * Writes the lists of some words.
 *
 * @param words query with the column `word`, without duplicates
 * @param addsTo expression: whether to add the words to their lists or replace the lists
 */
const listWords = (catalog: SQL, words: SQL, addsTo: SQL): SQL =>
  sql`insert into search_words (catalog_id, beginning, words)
    with added as materialized (
      select id, substr(word, 1, ${sql.raw(String(LIST_BEGINNING))}) as beginning, word
      from (select ${catalog} as id) cross join (${words}) limit ${sql.raw(String(MOST_WORDS))})
    select id, beginning, json_group_array(word) from (
      select id, beginning, word from added
      union select touched.id, touched.beginning, listed.value
        from (select distinct id, beginning from added where ${addsTo}) as touched
          join search_words as lists on lists.catalog_id = touched.id and lists.beginning = touched.beginning
          cross join json_each(lists.words) as listed
      order by beginning, word)
    group by beginning having sum(octet_length(word)) <= ${sql.raw(String(MOST_LIST_BYTES))}
    on conflict do update set words = excluded.words where words <> excluded.words`

// Searching.

/** Placeholder for the catalog ID in a full-text query, until the ID is known. No word contains it. */
const CATALOG = '\n'

/** Matches the words, facts or codes of one place: a whole one, or a prefix. */
export interface Token {
  place: Place
  text: string
  isWhole: boolean
}

export type Activity = 'active' | 'inactive' | 'all'

const PREFIXES: Readonly<Record<Activity, readonly string[]>> = {
  active: [CATALOG],
  inactive: [CATALOG + INACTIVE],
  all: [CATALOG, CATALOG + INACTIVE],
}

/** Full-text query for records with one token of each need. No need is empty. `queryIn` inserts the catalog. */
export const fullTextQuery = (needs: readonly (readonly Token[])[], activity: Activity): string => {
  const terms = (tokens: readonly Token[]) =>
    PREFIXES[activity].flatMap((prefix) =>
      // Words, facts and codes contain no quotes.
      tokens.map(({ place, text, isWhole }) => `"${prefix}${place}${text}"${isWhole ? '' : '*'}`),
    )
  return needs.map((tokens) => `(${terms(tokens).join(' OR ')})`).join(' AND ')
}

/** Expression for a query of `fullTextQuery`. @param catalog expression for the catalog ID */
export const queryIn = (parameters: Parameters, query: string, catalog: string): string =>
  `replace(${parameters.of(query)}, char(10), ${catalog})`

/**
 * Row IDs of the records that match a full-text query (an expression), in the order of their first write. None if the
 * query is null, which newer versions of SQLite reject.
 */
export const rowIdsOf = (query: string, limit: number): string =>
  `select rowid as row_id from records_search where records_search match coalesce(${query}, '""') limit ${limit}`

/** The number of records that match a full-text query (an expression). */
export const countOf = (query: string): string =>
  `select count(*) from records_search where records_search match coalesce(${query}, '""')`

/** A table of the words in some lists, with the column `word`. @param lists condition on `search_words` */
export const listedWords = (catalog: string, lists: string): string =>
  `(select listed.value as word from search_words cross join json_each(words) as listed
    where catalog_id = ${catalog} and (${lists}) limit ${MOST_WORDS})`

/** D1 accepts patterns of 50 bytes: two asterisks and this many characters of up to four bytes. */
const PATTERN_CHARACTERS = 12

/** Pre-filter on `search_words`: may give false positives, never false negatives. `glob` is faster than `instr`. */
export function mayHold(parameters: Parameters, text: string): string {
  const beginning = [...text].slice(0, PATTERN_CHARACTERS).join('')
  return `words glob '*' || ${parameters.of(beginning)} || '*'`
}

/**
 * A full-text query for records with a name or alias in which a word contains this text; null if more than
 * `MOST_FRAGMENT_WORDS` words of the catalog contain it.
 */
export function fragmentQuery(parameters: Parameters, catalog: string, text: string, activity: Activity): string {
  const terms = PREFIXES[activity].flatMap((prefix) =>
    [PLACES.nameStart, PLACES.nameOrAlias].map(
      (place) => `'"' || ${prefix === CATALOG ? catalog : `${catalog} || '${INACTIVE}'`} || '${place}' || word || '"'`,
    ),
  )
  const query = `coalesce(group_concat(${terms.join(` || ' OR ' || `)}, ' OR '), '""')`
  return `(select iif(count(*) > ${MOST_FRAGMENT_WORDS}, null, ${query})
    from (select word from ${listedWords(catalog, mayHold(parameters, text))}
      where instr(word, ${parameters.of(text)}) > 0 limit ${MOST_FRAGMENT_WORDS + 1}))`
}

/** Most words in one full-text query. If more words contain a text, reading the names is faster. */
const MOST_FRAGMENT_WORDS = 200
