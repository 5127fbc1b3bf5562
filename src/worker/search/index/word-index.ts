import { type SQL, sql } from 'drizzle-orm'
import { ALIAS_LINE_BREAK, ALIAS_SPACE, NAME_LINE_BREAK, NAME_SPACE } from '#shared/records/search-text'
import type { Parameters } from '#worker/storage/database'

/**
 * The word index: which records of a catalog hold which words and codes, and where.
 *
 * - `records_search` is a full-text table over tokens: `12aaspirin` says that in catalog 12 a name begins with the
 *   word "aspirin". Tokens of different catalogs have no beginning in common, so other catalogs do not make the
 *   search of a catalog slower. A code is one token, without its white space: `12e00937212`.
 * - `records_terms` reads the tokens of that table in order, `records_entries` with the records that hold them.
 * - `search_words` has the different words of a catalog, as one JSON list for each beginning of two letters. So words
 *   that hold a few letters, or that are similar to a word, are found in a few hundred lists instead of in all texts,
 *   and most of these lists are not taken apart. A word that no record holds any more leads to no record; the
 *   scheduled run purges it (`upkeep.ts`).
 */

/** The place of a word in a search text, as the letter between catalog and word in a token. */
const WORD_PLACES = { nameStart: 'a', nameWord: 'b', aliasStart: 'c', aliasWord: 'd' } as const
type WordPlace = (typeof WORD_PLACES)[keyof typeof WORD_PLACES]

/** The place of ids and codes. It comes after those of words. */
const CODE_PLACE = 'e'

/** Up to this many records, reading the words of their texts takes less time than all tokens of a catalog. */
export const FEW_RECORDS = 1000

/**
 * Words that one write adds at most, and that one search takes out of lists at most: ten times as many as a large
 * formulary has. In a catalog with more words, the others are found only by their beginnings.
 */
const MOST_WORDS = 200_000

/** Letters of the beginning that the words of a list have in common. */
export const LIST_BEGINNING = 2

/** Bytes of the words of a list. A list takes no more words when it has so many: a row of D1 has 2 MB at most. */
const MOST_LIST_BYTES = 250_000

// What a write does.

const MARKS: readonly [separator: string, place: WordPlace][] = [
  [NAME_SPACE, WORD_PLACES.nameWord],
  [NAME_LINE_BREAK, WORD_PLACES.nameStart],
  [ALIAS_LINE_BREAK, WORD_PLACES.aliasStart],
  [ALIAS_SPACE, WORD_PLACES.aliasWord],
]

const sqlReplaced = (text: SQL, from: string, to: SQL): SQL => sql`replace(${text}, ${from}, ${to})`

/** The search text with a mark before each word instead of its white space. */
const markWords = (text: SQL, mark: (place: WordPlace) => SQL): SQL =>
  MARKS.reduce((done, [separator, place]) => sqlReplaced(done, separator, mark(place)), text)

const trimmedText = sql`rtrim(search_text, ${NAME_LINE_BREAK + ALIAS_LINE_BREAK})`

/** The tokens of a row of `records`. No word comes after the last line of a text. */
const tokens = sql`${markWords(trimmedText, (place) => sql`' ' || catalog_id || ${place}`)}
  || replace(replace(rtrim(codes, char(10)), ' ', ''), char(10), ' ' || catalog_id || ${CODE_PLACE})`

/** The words of a row of `records` as a JSON list; some of its elements are empty. */
const wordList = sql`'["' || ${markWords(
  sqlReplaced(sqlReplaced(sql`search_text`, '\\', sql`${'\\\\'}`), '"', sql`${'\\"'}`),
  () => sql`${'","'}`,
)} || '"]'`

/** @param which condition on `records` */
export const unindexRecords = (which: SQL): SQL =>
  sql`delete from records_search where rowid in (select row_id from records where ${which})`

/**
 * Puts records of one catalog into the index.
 *
 * @param catalog id of the catalog, as an expression
 * @param which condition on `records`; none of those records is in the index
 * @param few whether there are at most `FEW_RECORDS` of them, as an expression
 */
export const indexRecords = (catalog: SQL, which: SQL, few: SQL): SQL[] => [
  sql`insert into records_search (rowid, tokens) select row_id, ${tokens} from records where ${which}`,
  listWords(
    catalog,
    sql`${wordsOfRecords(sql`${few} and ${which}`)}
      union ${wordsOfCatalog(catalog, sql`not ${few} and exists (select 1 from records where ${which})`)}`,
    few,
  ),
]

/** Lists the words that records of the catalog hold, and no others. */
export const listWordsAgain = (catalog: SQL): SQL[] => [
  sql`delete from search_words where catalog_id = ${catalog}`,
  listWords(catalog, sql`select distinct word from (${wordsOfCatalog(catalog, sql`true`)})`, sql`false`),
]

const wordsOfRecords = (which: SQL): SQL =>
  sql`select word.value as word
    from (select ${wordList} as words from records where ${which}) cross join json_each(words) as word
    where word.value <> ''`

/** Each word of the catalog, if the condition holds. */
const wordsOfCatalog = (catalog: SQL, condition: SQL): SQL =>
  sql`select substr(term, length(id) + 2) as word
    from (select ${catalog} as id where ${condition}) cross join records_terms
    where term >= id || 'a' and term < id || ${CODE_PLACE} and length(term) > length(id) + 1`

/**
 * Writes the lists of some words.
 *
 * @param words query with the column `word`, each once
 * @param addsTo whether the words are added to their lists, as an expression; if not, they replace them
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

// What a search asks.

/** Stands for the id of the catalog in a full-text query that is made before the id is known. No word holds it. */
const CATALOG = '\n'

const quoteToken = (token: string): string => `"${token.replaceAll('"', '""')}"`

/** Full-text query for records in which each of these words begins a word, in any place. */
export function wordBeginnings(words: readonly string[]): string {
  const ofWord = (word: string) => Object.values(WORD_PLACES).map((place) => `${quoteToken(CATALOG + place + word)}*`)
  return `(${words.map((word) => `(${ofWord(word).join(' OR ')})`).join(' AND ')})`
}

/** Full-text query for records with a name that begins with these words, each of them whole. */
export const nameOfWords = ([first = '', ...others]: readonly string[]): string =>
  [WORD_PLACES.nameStart + first, ...others.map((word) => WORD_PLACES.nameWord + word)]
    .map((token) => quoteToken(CATALOG + token))
    .join(' AND ')

/**
 * Such a query as an expression of a statement.
 *
 * @param catalog id of the catalog, as an expression
 */
export const queryIn = (parameters: Parameters, query: string, catalog: string): string =>
  `replace(${parameters.of(query)}, char(10), ${catalog})`

/**
 * Full-text query for records that hold a word as a whole, in any place, as an expression.
 *
 * @param catalog id of the catalog, as an expression
 * @param word as an expression
 */
export const wholeWord = (catalog: string, word: string): string =>
  Object.values(WORD_PLACES)
    .map((place) => `'"' || ${catalog} || '${place}' || replace(${word}, '"', '""') || '"'`)
    .join(` || ' OR ' || `)

/** The token of a code, as an expression. It has no white space. */
export const codeToken = (parameters: Parameters, catalog: string, folded: string): string =>
  `${catalog} || '${CODE_PLACE}' || ${parameters.of(folded.replaceAll(' ', ''))}`

/**
 * The words of a catalog that stand in some of its lists, as a table with the column `word`.
 *
 * @param catalog id of the catalog, as an expression
 * @param lists condition on `search_words`, such as `mayHold`
 */
export const listedWords = (catalog: string, lists: string): string =>
  `(select listed.value as word from search_words cross join json_each(words) as listed
    where catalog_id = ${catalog} and (${lists}) limit ${MOST_WORDS})`

/** D1 takes patterns of 50 bytes: two asterisks and this many characters, of which each takes up to four bytes. */
const PATTERN_CHARACTERS = 12

/**
 * Condition on `search_words`: false only if no word of the list holds the text. `glob` finds it in half of the time
 * that `instr` takes.
 */
export function mayHold(parameters: Parameters, text: string): string {
  const beginning = [...JSON.stringify(text).slice(1, -1)].slice(0, PATTERN_CHARACTERS).join('')
  return `words glob '*' || ${parameters.of(beginning.replace(/[*?[]/g, '[$&]'))} || '*'`
}
