/** Texts that are valid and probably not what somebody meant (docs/contract.md#warnings). */

/** What programs and people write for no value: in lower case, without blanks and points. */
const NULL_MARKERS: ReadonlySet<string> = new Set([
  ...['null', '\\n', '(null)', 'nan', '<na>', 'none', 'n/a', 'na', 'nil', 'notapplicable', 'tbd', 'undefined'],
  ...['(blank)', '-', '--', '---', '–', '—'],
])

/** `not applicable`, with room for blanks and points. */
const LONGEST_NULL_MARKER = 24

/** Whether a text stands for no value. @param isId whether it is an id, in which `NA` is sodium */
export function isNullMarker(text: string, isId: boolean): boolean {
  if (text.length > LONGEST_NULL_MARKER) return false
  const marker = text.toLowerCase().replace(/[\s.]+/g, '')
  return NULL_MARKERS.has(marker) && !(isId && marker === 'na')
}

const RULE = /^[-=_+*]+$/

/** Whether a row is a line between others: all of its cells that are not blank consist of `-`, `=`, `_`, `+` or `*`. */
export function isRuledLine(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  return filled.length > 0 && filled.every((cell) => RULE.test(cell.trim()))
}

/** The characters of Windows-1252 for the bytes 0x80 to 0xBF, by which UTF-8 goes on. */
const CONTINUATION = '\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** UTF-8 that was taken for Windows-1252: `Ã©`, `â€™`; and `Â` of a blank that does not break lines. */
const MISREAD = new RegExp(
  [
    `[\\u00c2-\\u00df][${CONTINUATION}]`,
    `[\\u00e0-\\u00ef][${CONTINUATION}]{2}`,
    `[\\u00f0-\\u00f4][${CONTINUATION}]{3}`,
    String.raw`(?<=\p{Ll})Â(?=\s|$)`,
  ].join('|'),
  'u',
)

/** `&amp;`, `&#233;`, `&eacute;`. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i

/** Whether a text reads like UTF-8 that was taken for Windows-1252, or has HTML entities. */
export const isBrokenText = (text: string): boolean => MISREAD.test(text) || (text.includes('&') && ENTITY.test(text))
