import { foldedWords } from '#shared/text/fold'
import { quantityFacts } from './quantities'
import { ALIAS_LINE_BREAK, ALIAS_SPACE, FACT_BREAK, OTHER_PART } from './search-text'

/**
 * Names that users add to a record because the source system does not have them. Writes of the record do not change
 * them. They are stored as text search compares them: folded words separated by spaces.
 */

/** Normalizes an added name or a search without a match; empty without any letter, digit or `%`. */
export const normalizedText = (text: string): string => foldedWords(text).join(' ')

/**
 * The stored text of a record's added names: lines of aliases to read before its search text, `OTHER_PART`, and facts
 * to read after it. Empty without names.
 *
 * @param names normalized, none of them empty
 */
export function addedNamesText(names: readonly string[]): string {
  if (names.length === 0) return ''
  const lines = names.map((name) => name.replaceAll(' ', ALIAS_SPACE) + ALIAS_LINE_BREAK)
  const facts = new Set(names.flatMap(quantityFacts))
  return (
    ALIAS_LINE_BREAK + lines.join('') + OTHER_PART + [...facts].map((fact) => FACT_BREAK + fact + FACT_BREAK).join('')
  )
}

/** The names in an `addedNamesText`, in their order. */
export const addedNamesIn = (text: string): string[] =>
  (text.split(OTHER_PART)[0] ?? '')
    .split(ALIAS_LINE_BREAK)
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(ALIAS_SPACE, ' '))
