import type { Place } from './word-index'

/**
 * Placeholder for the id of the catalog in a full-text query that is made before the id is known. No word holds it.
 */
export const CATALOG = '\n'

/** A term of a full-text query: a word in a place, or words in that place that begin with it. */
export const tokenOf = (place: Place, word: string, whole: boolean): string =>
  `"${CATALOG}${place}${word.replaceAll('"', '""')}"${whole ? '' : '*'}`

/**
 * Full-text query for records with these words, the first word in the place `first` and the others in the place
 * `rest`.
 */
export const tokensOf = (words: readonly string[], first: Place, rest: Place, lastIsWhole: boolean): string =>
  words
    .map((word, i) => tokenOf(i === 0 ? first : rest, word, lastIsWhole || i < words.length - 1))
    .join(' AND ')
