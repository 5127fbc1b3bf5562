import type { Field } from './record-type'
import { labTest } from './types/lab-test'

/** Detects valid texts that are probably not what someone meant (docs/contract.md#warnings). */

/** Placeholders for a missing value: in lower case, without spaces and periods. */
const NULL_MARKERS: ReadonlySet<string> = new Set([
  ...['null', '\\n', '(null)', 'nan', '<na>', 'none', 'n/a', 'na', 'nil', 'notapplicable', 'tbd', 'undefined'],
  ...['(blank)', '-', '--', '---', '–', '—'],
])

/** Length of `not applicable`, with room for spaces and periods. */
const LONGEST_NULL_MARKER = 24

/** Their first characters. Most texts begin with a different one. */
const NULL_MARKER_START = /^\s*[nut\\(<\-–—]/i

/** Names of substances in a lab test. */
const SUBSTANCE_FIELDS: readonly string[] = ['name', 'display_name', 'aliases', 'panel_members']

const ANY_SODIUM = /^na$/i
const SODIUM = /^Na$/

/** The text that means sodium in a field, not a missing value: `NA` in an ID, `Na` in names of a lab test. */
export function sodiumIn({ name }: Pick<Field, 'name'>, idField: string): RegExp | undefined {
  if (name === idField) return ANY_SODIUM
  return idField === labTest.idField && SUBSTANCE_FIELDS.includes(name) ? SODIUM : undefined
}

/** Whether a text is a placeholder for a missing value. @param sodium see `sodiumIn` */
export function isNullMarker(text: string, sodium?: RegExp): boolean {
  if (text.length > LONGEST_NULL_MARKER || !NULL_MARKER_START.test(text)) return false
  const marker = text.toLowerCase().replace(/[\s.]+/g, '')
  return NULL_MARKERS.has(marker) && sodium?.test(text.trim()) !== true
}

/** A list in the notation of other programs: `["a","b"]`, `{a,b}`. */
const BRACKETED = /^\s*(?:\[\s*(?:["'].*|[^\]]*,.*)\]|\{.*\})\s*$/s

/** Whether the only item of a list looks like several. @param separator of the field in CSV */
export const isUnsplitList = (item: string, separator: '|' | '+'): boolean =>
  /[;\r\n]|\$\$/.test(item) || (separator === '+' && item.includes('|')) || BRACKETED.test(item)

const KEPT_AS_TEXT = /^\s*=\s*"((?:[^"]|"")*)"\s*$/

/** The text in a cell of the form `="1001"`, by which spreadsheet programs keep text; undefined for another cell. */
export const textKeptByFormula = (cell: string): string | undefined =>
  KEPT_AS_TEXT.exec(cell)?.[1]?.replaceAll('""', '"')

const comparableCell = (cell: string): string => cell.trim().toLowerCase()

/** Whether a row repeats the header row, as pages of a report do. Case, and blank cells at the end, do not count. */
export function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  const [first = ''] = header
  if (comparableCell(cells[0] ?? '') !== comparableCell(first)) return false
  if (header.every((cell) => cell.trim() === '')) return false
  const width = Math.max(cells.length, header.length)
  for (let at = 1; at < width; at++) {
    if (comparableCell(cells[at] ?? '') !== comparableCell(header[at] ?? '')) return false
  }
  return true
}

const RULE = /^[-=_+*]+$/

/** Whether a row is a drawn line: all of its non-blank cells consist of `-`, `=`, `_`, `+` or `*`. */
export function isRuledLine(cells: readonly string[]): boolean {
  let isRuled = false
  for (const cell of cells) {
    const text = cell.trim()
    if (text === '') continue
    if (!RULE.test(text)) return false
    isRuled = true
  }
  return isRuled
}

/** The Windows-1252 characters of the bytes 0x80 to 0xBF, the continuation bytes of UTF-8. */
const CONTINUATION = '\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** Of these, the ones that rarely follow a letter in correct text, unlike in `NESTLÉ®`, `“CAFÉ”` and `« RÉALITÉ »`. */
const RARE =
  '\\u0080-\\u009f\\u00a1-\\u00a8\\u00aa\\u00ac\\u00ad\\u00af\\u00b1-\\u00ba\\u00bc-\\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜š›œžŸ'

/** UTF-8 read as Windows-1252: `Ã©`, `â€™`, `Ð¼Ð³`, and the `Â` of a no-break space. */
const MISREAD = new RegExp(
  [
    `[ÂÃ][${CONTINUATION}]`,
    `[\\u00c4-\\u00df][${RARE}]`,
    `(?:[\\u00c4-\\u00df][${CONTINUATION}]){2}`,
    `â[${CONTINUATION}]{2}`,
    `[\\u00e0-\\u00ef](?:[${RARE}][${CONTINUATION}]|[${CONTINUATION}][${RARE}])`,
    `[\\u00f0-\\u00f4][${CONTINUATION}]{3}`,
    String.raw`(?<=\p{Ll})Â(?=\s|$)`,
  ].join('|'),
  'u',
)

/** The first letters of such sequences. Most texts contain none of them. */
const MAY_BE_MISREAD = /[\u00c2-\u00f4]/

/** `&amp;`, `&#233;`, `&eacute;`. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i

/** Whether a text looks like UTF-8 that was read as Windows-1252, or contains HTML entities. */
export const isBrokenText = (text: string): boolean =>
  (MAY_BE_MISREAD.test(text) && MISREAD.test(text)) || (text.includes('&') && ENTITY.test(text))
