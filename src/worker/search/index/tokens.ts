import type { Parameters } from '#worker/storage/parameters'
import { CODE_PLACE, WORD_PLACES } from './word-index'

/** Stands for the id of the catalog in a full-text query that is made before the id is known. No word holds it. */
const CATALOG = '\n'

/** A term of a full-text query. */
const quoted = (token: string): string => `"${token.replaceAll('"', '""')}"`

/** Full-text query for records in which each of these words begins a word, in any place. */
export function wordBeginnings(words: readonly string[]): string {
  const ofWord = (word: string) => Object.values(WORD_PLACES).map((place) => `${quoted(CATALOG + place + word)}*`)
  return `(${words.map((word) => `(${ofWord(word).join(' OR ')})`).join(' AND ')})`
}

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
