import { type SQL, sql } from 'drizzle-orm'
import { ALIAS_LINE, ALIAS_WORD, NAME_LINE, NAME_WORD } from '#shared/records/search-text'

/**
 * The word index: which records of a catalog hold which words and codes, and where.
 *
 * - `records_search` is a full-text table over tokens: `12aaspirin` says that in catalog 12 a name begins with the
 *   word "aspirin". Tokens of different catalogs have no beginning in common, so other catalogs do not make the
 *   search of a catalog slower. A code is one token, without its white space: `12e00937212`.
 * - `records_terms` reads the tokens of that table in order, `records_entries` with the records that hold them.
 * - `search_words` has the different words of a catalog. So words that hold a few letters, or that are similar to a
 *   word, are found among thousands of words instead of in all texts. A word that no record holds any more leads to no
 *   record; the scheduled run purges it (`purge-words.ts`).
 */

/** The place of a word in a search text, as the letter between catalog and word in a token. */
export const WORD_PLACES = { nameStart: 'a', nameWord: 'b', aliasStart: 'c', aliasWord: 'd' } as const
type WordPlace = (typeof WORD_PLACES)[keyof typeof WORD_PLACES]

/** The place of ids and codes. Later than those of words, and before `END_OF_PLACES`. */
export const CODE_PLACE = 'e'

const MARKS: readonly [separator: string, place: WordPlace][] = [
  [NAME_WORD, WORD_PLACES.nameWord],
  [NAME_LINE, WORD_PLACES.nameStart],
  [ALIAS_LINE, WORD_PLACES.aliasStart],
  [ALIAS_WORD, WORD_PLACES.aliasWord],
]

/** Up to this many records, reading the words of their texts takes less time than all tokens of a catalog. */
export const FEW_RECORDS = 1000

/**
 * Words that one write adds at most, and that one search reads at most: ten times as many as a large formulary has,
 * which takes some hundredths of a second. In a catalog with more words, the others are found only by their
 * beginnings.
 */
export const MOST_WORDS = 200_000

const mostWords = sql.raw(String(MOST_WORDS))

const sqlReplaced = (text: SQL, from: string, to: SQL): SQL => sql`replace(${text}, ${from}, ${to})`

/** The search text with a mark before each word instead of its white space. */
const marked = (text: SQL, mark: (place: WordPlace) => SQL): SQL =>
  MARKS.reduce((done, [separator, place]) => sqlReplaced(done, separator, mark(place)), text)

const trimmedText = sql`rtrim(search_text, ${NAME_LINE + ALIAS_LINE})`

/** The tokens of a row of `records`. No word comes after the last line of a text. */
const tokens = sql`${marked(trimmedText, (place) => sql`' ' || catalog_id || ${place}`)}
  || replace(replace(rtrim(codes, char(10)), ' ', ''), char(10), ' ' || catalog_id || ${CODE_PLACE})`

/** The words of a row of `records` as a JSON list; some of its elements are empty. */
const wordList = sql`'["' || ${marked(
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
  addWords(
    catalog,
    sql`${wordsOfRecords(sql`${few} and ${which}`)} union ${wordsOfCatalog(catalog, sql`not ${few} and ${which}`)}`,
  ),
]

/** Each different word of some records. */
const wordsOfRecords = (which: SQL): SQL =>
  sql`select j.value as word from (select ${wordList} as words from records where ${which})
    cross join json_each(words) as j where j.value <> ''`

/** Each different word of the catalog, if there are such records. */
const wordsOfCatalog = (catalog: SQL, which: SQL): SQL =>
  sql`select substr(term, length(id) + 2) as word
    from (select ${catalog} as id where exists (select 1 from records where ${which})) cross join records_terms
    where term >= id || 'a' and term < id || ${CODE_PLACE} and length(term) > length(id) + 1`

/** @param words query with the column `word` */
const addWords = (catalog: SQL, words: SQL): SQL =>
  sql`insert into search_words (catalog_id, word)
    select id, word from (select ${catalog} as id) cross join (${words}) as added
    where not exists (select 1 from search_words as w where w.catalog_id = id and w.word = added.word)
    limit ${mostWords}`
