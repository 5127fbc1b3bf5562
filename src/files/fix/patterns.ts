/** One change for many values. */
export type Pattern = { is: 'trim' } | { is: 'replace'; from: string; to: string } | { is: 'shorten'; to: number }

/** Invisible characters other than whitespace. */
const INVISIBLE = /[[\p{Cf}\p{Cc}\p{Cs}]--[\t\n\r]]/gv

const ELLIPSIS = '…'

/** Truncates a text after a word and appends an ellipsis. @param most number of characters, including the ellipsis */
function shortened(text: string, most: number): string {
  const letters = Array.from(text)
  if (letters.length <= most) return text
  const beginning = letters.slice(0, most - ELLIPSIS.length).join('')
  return `${beginning.replace(/[\s,;/]+\S{0,12}$/u, '') || beginning}${ELLIPSIS}`
}

/** Adds the value of another field to a name. */
export const nameWith = (name: string, text: string): string =>
  name.includes(text.trim()) ? name : `${name.trim()}, ${text.trim()}`

/** Applies a pattern to a value. An incomplete pattern changes nothing. */
export function applyPattern(pattern: Pattern, text: string): string {
  switch (pattern.is) {
    case 'trim':
      return text.replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
    case 'replace':
      return pattern.from === '' ? text : text.replaceAll(pattern.from, () => pattern.to)
    case 'shorten':
      return shortened(text, pattern.to)
  }
}

/** The effect of a pattern. */
export interface PatternEffect {
  /** Number of rows whose value would change. */
  rows: number
  /** Number of these rows whose value would be valid. */
  valid: number
  /** The first distinct values that would change. */
  examples: readonly PatternExample[]
}

interface PatternExample {
  before: string
  after: string
  isValid: boolean
}

const PATTERN_EXAMPLES = 5

/**
 * The effect of changing values.
 *
 * @param pairs each value, and its replacement @param isValid whether a field accepts a value
 */
export function effectOf(
  pairs: Iterable<readonly [before: string, after: string]>,
  isValid: (text: string) => boolean,
): PatternEffect {
  const examplesByValue = new Map<string, PatternExample | undefined>()
  let rows = 0
  let valid = 0
  for (const [before, after] of pairs) {
    if (!examplesByValue.has(before)) {
      examplesByValue.set(before, after === before ? undefined : { before, after, isValid: isValid(after) })
    }
    const example = examplesByValue.get(before)
    if (example === undefined) continue
    rows++
    if (example.isValid) valid++
  }
  const examples = [...examplesByValue.values()].filter((example) => example !== undefined).slice(0, PATTERN_EXAMPLES)
  return { rows, valid, examples }
}
