import { type SQL, sql } from 'drizzle-orm'
import { ALIAS_LINE, ALIAS_WORD, NAME_LINE, NAME_WORD } from '#shared/records/search-text'

/**
 * The word index: which records of a catalog hold which words, and where.
 *
 * - `records_search` is a full-text table over tokens: `12aaspirin` says that in catalog 12 a name begins with the
 *   word "aspirin". Tokens of different catalogs have no beginning in common, so other catalogs do not make the
 *   search of a catalog slower.
 * - `records_terms` reads the tokens of that table, in order.
 * - `search_word_lists` has the words of a catalog as JSON lists, each word after the letter of its place, in upper
 * case,
 * which no folded word has: `["Aaspirin","Btablet"]`. So words that hold a few letters, or that are similar to a
 * word,
 *   are found among thousands of words instead of in all texts; and most lists do not hold the letters. A word that no
 *   record holds any more leads to no record; the scheduled run purges it (`purge-words.ts`).
 * - `search_words` has the same words as rows, which tell what a list need not repeat. A trigger on
 * `search_word_lists` adds the words of a list, with `listed` 1. Rows of an earlier release have 0: they get a list
 * by the
 *   next write of the word, or by the scheduled run (`list-words.ts`).
 * - `catalog_upkeep.listed_words` is their number, which triggers on `search_word_lists` count.
 */

/** The place of a word in a search text, as the letter between catalog and word in a token. */
export const WORD_KINDS = { nameStart: 'a', nameWord: 'b', aliasStart: 'c', aliasWord: 'd' } as const
export type WordKind = (typeof WORD_KINDS)[keyof typeof WORD_KINDS]

const MARKS: readonly [separator: string, place: WordKind][] = [
  [NAME_WORD, WORD_KINDS.nameWord],
  [NAME_LINE, WORD_KINDS.nameStart],
  [ALIAS_LINE, WORD_KINDS.aliasStart],
  [ALIAS_WORD, WORD_KINDS.aliasWord],
]

/** Up to this many records, reading the words of their texts takes less time than all tokens of a catalog. */
export const FEW_RECORDS = 1000

/**
 * Most words of a catalog, with their places, in `search_words`: ten times as many as a large formulary has. A search
 * reads all of them, which takes up to some hundredths of a second. In a catalog with more words, the later ones are
 * found only by their beginnings.
 */
const KEPT_WORDS = 200_000

const kept = sql.raw(String(KEPT_WORDS))

/** Bytes of a list of words. SQLite keeps such a row in one page, with others. */
export const LIST_BYTES = 700

const listBytes = sql.raw(String(LIST_BYTES))

const sqlReplaced = (text: SQL, from: string, to: SQL): SQL => sql`replace(${text}, ${from}, ${to})`

/** A string of the full-text query language. */
export const quoted = (text: SQL): SQL => sql`'"' || replace(${text}, '"', '""') || '"'`

/** The text with a mark before each word instead of its white space. */
const marked = (text: SQL, mark: (place: WordKind) => SQL): SQL =>
  MARKS.reduce((done, [separator, place]) => sqlReplaced(done, separator, mark(place)), text)

/** The tokens of a row of `records`. */
const tokens = marked(sql`search_text`, (place) => sql`' ' || catalog_id || ${place}`)

/** The words of a row of `records` as a JSON list, each after the letter of its place. */
const listedWords = sql`'["' || ${marked(
  sqlReplaced(sqlReplaced(sql`search_text`, '\\', sql`${'\\\\'}`), '"', sql`${'\\"'}`),
  (place) => sql`${`","${place}`}`,
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
  keepWords(
    catalog,
    sql`${wordsOfRecords(sql`${few} and ${which}`)} union all ${wordsOfCatalog(catalog, sql`not ${few} and ${which}`)}`,
  ),
]

/** Each different word of some records, after the letter of its place. */
const wordsOfRecords = (which: SQL): SQL =>
  sql`select distinct upper(substr(j.value, 1, 1)) || substr(j.value, 2) as placed from (select ${listedWords} as words from records where ${which})
    cross join json_each(words) as j where length(j.value) > 1`

/** Every word of the catalog, after the letter of its place, if there are such records. */
const wordsOfCatalog = (catalog: SQL, which: SQL): SQL =>
  sql`select upper(substr(term, length(id) + 1, 1)) || substr(term, length(id) + 2) as placed
    from (select ${catalog} as id where exists (select 1 from records where ${which})) cross join records_terms
    where term >= id || 'a' and term < id || 'e' and length(term) > length(id) + 1`

/**
 * Adds lists of those words that are in no list of the catalog yet. If it has no list, no word is looked up.
 *
 * @param placed query with the column `placed`
 */
const keepWords = (catalog: SQL, placed: SQL): SQL =>
  sql`insert into search_word_lists (catalog_id, number, words)
    with owner as materialized (select ${catalog} as id,
      (select coalesce(max(number), 0) from search_word_lists where catalog_id = ${catalog}) as last
      where coalesce((select listed_words from catalog_upkeep where catalog_id = ${catalog}), 0) < ${kept}),
    added as (select id, last, placed, sum(octet_length(placed) + 3) over (rows unbounded preceding) / ${listBytes} as list
      from owner cross join (${placed}) where not exists (select 1 from search_words
        where catalog_id = iif(last > 0, id, null) and word = substr(placed, 2) and place = lower(substr(placed, 1, 1)) and listed = 1) limit ${kept})
    select id, last + 1 + list, json_group_array(placed) from added group by list`

/**
 * The words of the lists of all catalogs: `placed.value` is a word after the letter of its place. A condition on the
 * lists spares the others from being taken apart; see `mayHold`.
 */
export const placedWords = sql.raw('search_word_lists cross join json_each(words) as placed')

/**
 * Condition on a list of words: it is false only if no word of it holds the text. `glob` finds the first letter of a
 * text in a third of the time that `instr` takes.
 *
 * @param pattern what `patternOf` gave; a text may stand before it
 */
export const mayHold = (pattern: SQL): SQL => sql`words glob '*' || ${pattern} || '*'`

/** D1 takes patterns of 50 bytes: this many letters, two asterisks, and a letter of the text before. */
const PATTERN_LETTERS = 11

/** The beginning of a text as it is in a JSON list of texts, as a pattern of `glob`. */
export const patternOf = (text: string): string =>
  [...JSON.stringify(text).slice(1, -1)].slice(0, PATTERN_LETTERS).join('').replace(/[*?[]/g, '[$&]')
