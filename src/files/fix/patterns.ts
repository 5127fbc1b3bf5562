import { withUnit } from '#files/columns/units'

/** One change for many values. */
export type Pattern =
  | { is: 'trim' }
  | { is: 'replace'; from: string; to: string }
  | { is: 'case'; to: 'upper' | 'lower' | 'words' }
  | { is: 'append'; unit: string }
  | { is: 'split'; at: string; keep: 'before' | 'after' }

/** Characters that cannot be seen and are no white space. */
const INVISIBLE = /[[\p{Cf}\p{Cc}\p{Cs}]--[\t\n\r]]/gv

/** `ASPIRIN protect` as `Aspirin Protect`. */
const inWords = (text: string): string =>
  text.toLowerCase().replace(/(?<![\p{L}\p{M}\p{N}’'])\p{L}/gu, (letter) => letter.toUpperCase())

const CASES = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  words: inWords,
} as const

/** What stands on one side of a separator; the whole text if it has none. */
function sideOf(text: string, at: string, keep: 'before' | 'after'): string {
  const place = text.indexOf(at)
  if (place === -1) return text
  return (keep === 'before' ? text.slice(0, place) : text.slice(place + at.length)).trim()
}

/** Applies a pattern to a value. An incomplete pattern changes nothing. */
export function applyPattern(pattern: Pattern, text: string): string {
  switch (pattern.is) {
    case 'trim':
      return text.replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
    case 'replace':
      return pattern.from === '' ? text : text.replaceAll(pattern.from, () => pattern.to)
    case 'case':
      return CASES[pattern.to](text)
    case 'append':
      return pattern.unit.trim() === '' ? text : withUnit(text, pattern.unit.trim())
    case 'split':
      return pattern.at === '' ? text : sideOf(text, pattern.at, pattern.keep)
  }
}

/** What a pattern would change. */
export interface PatternEffect {
  /** Rows whose value would change. */
  rows: number
  /** Rows among them whose value would be valid. */
  valid: number
  /** The first different values that would change. */
  examples: readonly PatternExample[]
}

interface PatternExample {
  before: string
  after: string
  isValid: boolean
}

const PATTERN_EXAMPLES = 5

/** What a pattern would change. @param values of the rows @param isValid whether a field takes a value */
export function effectOf(
  pattern: Pattern,
  values: Iterable<string>,
  isValid: (text: string) => boolean,
): PatternEffect {
  const examplesByValue = new Map<string, PatternExample | undefined>()
  let rows = 0
  let valid = 0
  for (const before of values) {
    if (!examplesByValue.has(before)) {
      const after = applyPattern(pattern, before)
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
