import type { ListField } from '#shared/records/record-type'

/** Several items in one cell, with a separator other than the field's. */
interface JoinedItems {
  /** The separator in the cell, or its name if it is invisible: `;`, `line break`. */
  separator: string
  items: readonly string[]
}

/** Units after the slash of a rate: `100 mcg/dose`, `40 IU/ml`. */
const RATE_UNITS = [
  '[mcdkµμ]?[gl]|m[ck]g|ug|iu|ui|m[²2]|cm[²2]|units?|doses?|tab(?:let)?s?|cap(?:sule)?s?|puffs?|sprays?|actuations?',
  'inh|drops?|gtts?|vials?|amp(?:oule)?s?|sachets?|h|hr|hours?|d|days?|min|comp|cp|fl|patch',
].join('|')

/** The slash of a rate or a ratio. In a cell with such a slash, slashes do not separate items. */
const RATE = new RegExp(String.raw`/\s*(?:\d|(?:${RATE_UNITS})(?![\p{L}]))`, 'iu')

/** Separators of other systems, least ambiguous first. A comma before a digit is part of an amount. */
const SEPARATORS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['line break', /[\r\n]+/],
  ['$$', /\$\$/],
  [';', /;/],
  ['|', /\|/],
  [',', /,(?!\d)/],
  ['/', /\//],
  ['&', /&/],
]

/** Separators that also occur in names: `Griseofulvin, microcrystalline`, `C/S`. */
const IN_NAMES: readonly string[] = [',', '/', '&']

/**
 * If the field's own separator occurs in this many times as many cells as such a character, the character is part of
 * names.
 */
const KNOWN_SEPARATOR = 5

/**
 * Whether a character is part of names in a column, because the column uses the field's separator for lists.
 *
 * @param joined number of cells with the character @param split number of cells with the field's separator
 */
export const isInNames = (separator: string, joined: number, split: number): boolean =>
  IN_NAMES.includes(separator) && split >= joined * KNOWN_SEPARATOR

/** `["a","b"]` and `{a,b}`: the list syntax of other systems. */
const IN_BRACKETS = /^(?:\[(.*)\]|\{(.*)\})$/s

/** A quick test: most cells contain none of these. */
const MAY_JOIN = /[\r\n;|,/&[{]|\$\$/

/** Parts in brackets, in which nothing separates items. */
const BRACKETED_PART = /\([^()]*\)|\[[^[\]]*\]/g

/** Splits a text into items, but not within brackets. */
function itemsOf(text: string, pattern: RegExp): string[] {
  const hidden = text.replace(BRACKETED_PART, (part) => '\0'.repeat(part.length))
  const items: string[] = []
  let start = 0
  for (const match of hidden.matchAll(new RegExp(pattern, 'g'))) {
    items.push(text.slice(start, match.index))
    start = match.index + match[0].length
  }
  items.push(text.slice(start))
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/**
 * The items of a cell that probably contains several; undefined for a single item, and for cells that the service
 * splits.
 */
export function joinedItems(text: string, field: ListField): JoinedItems | undefined {
  if (!MAY_JOIN.test(text)) return undefined
  const [, square, curly] = IN_BRACKETS.exec(text) ?? []
  const inner = square ?? curly
  if (inner !== undefined) {
    const items = itemsOf(inner, /,/).map((item) => item.replace(/^(["'])(.*)\1$/s, '$2'))
    return items.length > 0 && !inner.includes(field.separator) ? { separator: 'brackets', items } : undefined
  }
  if (text.includes(field.separator)) return undefined
  for (const [separator, pattern] of SEPARATORS) {
    // `Vitamins & minerals` is one alias; a generic with `&` is two.
    if (separator === '&' && field.separator !== '+') continue
    if (separator === '/' && RATE.test(text)) continue
    const items = itemsOf(text, pattern)
    if (items.length > 1) return { separator, items }
  }
  return undefined
}
