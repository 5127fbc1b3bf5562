import { type SQL, sql } from 'drizzle-orm'
import { WORD_PLACES, type WordPlace } from './word-index'

/** Placeholder for the id of the catalog in a full-text query. No word holds it. */
const CATALOG = '\n'

/**
 * A full-text query as an expression.
 *
 * @param query made before the id of the catalog is known
 * @param catalog its id, as an expression
 */
export const queryIn = (catalog: SQL, query: SQL | string): SQL =>
  sql`replace(${query}, char(10), ${catalog})`

/** A term of a full-text query: a word in a place, or words in that place that begin with it. */
export const tokenOf = (place: WordPlace, word: string, whole: boolean): string =>
  `"${CATALOG}${place}${word.replaceAll('"', '""')}"${whole ? '' : '*'}`

/**
 * Full-text query for records with these words, the first word in the place `first` and the others in the place
 * `rest`.
 */
export const tokensOf = (
  words: readonly string[],
  first: WordPlace,
  rest: WordPlace,
  lastIsWhole: boolean,
): string =>
  words
    .map((word, i) => tokenOf(i === 0 ? first : rest, word, lastIsWhole || i < words.length - 1))
    .join(' AND ')

/** Full-text query for records in which each of these words begins a word, in any place. */
export const anywhere = (words: readonly string[]): string =>
  `(${words
    .map((word) => {
      const tokens = Object.values(WORD_PLACES).map((place) => tokenOf(place, word, false))
      return `(${tokens.join(' OR ')})`
    })
    .join(' AND ')})`

/** The same for records that hold a word as a whole, in any place, as an expression. */
export const wholeWord = (catalog: SQL, word: SQL): SQL =>
  sql.join(
    Object.values(WORD_PLACES).map(
      (place) => sql`'"' || ${catalog} || ${place} || replace(${word}, '"', '""') || '"'`,
    ),
    sql` || ' OR ' || `,
  )
