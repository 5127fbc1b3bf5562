import { foldedWords } from '#shared/text/fold'
import { quantityFacts } from './quantities'
import { ALIAS_LINE_BREAK, ALIAS_SPACE, FACT_BREAK, OTHER_PART } from './search-text'

/**
 * Names that people add beside a record, because the system that its file comes from does not have them. No write of
 * the record touches them. They are kept as text search compares them: folded words with a space between them.
 */

/** A text as an added name, and as a search without a match; empty if it has no letter, no digit and no `%`. */
export const normalizedText = (text: string): string => foldedWords(text).join(' ')

/**
 * What a record keeps of its added names, to be read together with its search text: the lines of aliases that go before
 * that text, `OTHER_PART`, and the facts that go behind it. Empty without names.
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

/** The names in a text of `addedNamesText`, in their order. */
export const addedNamesIn = (text: string): string[] =>
  (text.split(OTHER_PART)[0] ?? '')
    .split(ALIAS_LINE_BREAK)
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(ALIAS_SPACE, ' '))
