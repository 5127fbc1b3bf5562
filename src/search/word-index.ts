import { type SQL, sql } from 'drizzle-orm'
import { ALIAS_LINE, ALIAS_WORD, NAME_LINE, NAME_WORD } from '#records/search-text'

/**
 * The word index: which records of a catalog hold which words, and where.
 *
 * - `records_search` is a full-text table over tokens: `12aaspirin` says that in catalog 12 a name begins with the
 *   word "aspirin". Tokens of different catalogs have no beginning in common, so other catalogs do not make the
 *   search of a catalog slower.
 * - `records_terms` reads the tokens of that table, in order.
 * - `search_words` keeps the words of a catalog also as rows, each with its places. So words that hold a few letters,
 *   or that are similar to a word, are found among thousands of words instead of in all texts. Words that no record
 *   holds any more may stay in it; they lead to no record.
 */

/** The place of a word in a search text, as the letter between catalog and word in a token. */
export const PLACES = { nameStart: 'a', nameWord: 'b', aliasStart: 'c', aliasWord: 'd' } as const
export type Place = (typeof PLACES)[keyof typeof PLACES]

const MARKS: readonly [separator: string, place: Place][] = [
  [NAME_WORD, PLACES.nameWord],
  [NAME_LINE, PLACES.nameStart],
  [ALIAS_LINE, PLACES.aliasStart],
  [ALIAS_WORD, PLACES.aliasWord],
]

/** Up to this many records, their words come from their texts; with more, from the tokens of the whole catalog. */
const FEW_RECORDS = 1000

/**
 * Most words of a catalog, with their places, in `search_words`: ten times as many as a large formulary has. A search
 * reads all of them, which takes up to some hundredths of a second. In a catalog with more words, the later ones are
 * found only by their beginnings.
 */
const KEPT_WORDS = 200_000

const kept = sql.raw(String(KEPT_WORDS))

/** Condition: the catalog has room for more words. */
const roomFor = (catalog: SQL): SQL =>
  sql`(select count(*) from search_words where catalog_id = ${catalog}) < ${kept}`

const replaced = (text: SQL, from: string, to: SQL): SQL => sql`replace(${text}, ${from}, ${to})`

/** The text with a mark before each word instead of its white space. */
const marked = (text: SQL, mark: (place: Place) => SQL): SQL =>
  MARKS.reduce((done, [separator, place]) => replaced(done, separator, mark(place)), text)

/** The tokens of a row of `records`. */
const tokens = marked(sql`search_text`, (place) => sql`' ' || catalog_id || ${place}`)

/** The words of a row of `records` as a JSON list, each after the letter of its place. */
const listedWords = sql`'["' || ${marked(
  replaced(replaced(sql`search_text`, '\\', sql`${'\\\\'}`), '"', sql`${'\\"'}`),
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
 * @param sent how many records there may be at most
 */
export const indexRecords = (catalog: SQL, which: SQL, sent: number): SQL[] => [
  sql`insert into records_search (rowid, tokens) select row_id, ${tokens} from records where ${which}`,
  sent <= FEW_RECORDS ? wordsOfRecords(catalog, which) : wordsOfCatalog(catalog, which),
]

const wordsOfRecords = (catalog: SQL, which: SQL): SQL =>
  sql`insert or ignore into search_words (catalog_id, word, place)
    select catalog_id, substr(j.value, 2), substr(j.value, 1, 1)
    from (select catalog_id, ${listedWords} as words from records where ${which}) cross join json_each(words) as j
    where length(j.value) > 1 and ${roomFor(catalog)} limit ${kept}`

const wordsOfCatalog = (catalog: SQL, which: SQL): SQL =>
  sql`insert or ignore into search_words (catalog_id, word, place)
    select id, substr(term, length(id) + 2), substr(term, length(id) + 1, 1)
    from (select ${catalog} as id where exists (select 1 from records where ${which})) cross join records_terms
    where term >= id || 'a' and term < id || 'e' and length(term) > length(id) + 1
      and ${roomFor(catalog)} limit ${kept}`
