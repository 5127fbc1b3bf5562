import type { ListField } from '#shared/records/record-type'

/** Several items that stand in one cell with another separator than that of the field. */
interface JoinedItems {
  /** As it stands in the cell, in words for a sign that cannot be shown: `;`, `line break`. */
  separator: string
  items: readonly string[]
}

/** What an amount is for: `100 mcg/dose`, `40 IU/ml`. */
const RATE_UNITS = [
  '[mcdkµμ]?[gl]|m[ck]g|ug|iu|ui|m[²2]|cm[²2]|units?|doses?|tab(?:let)?s?|cap(?:sule)?s?|puffs?|sprays?|actuations?',
  'inh|drops?|gtts?|vials?|amp(?:oule)?s?|sachets?|h|hr|hours?|d|days?|min|comp|cp|fl|patch',
].join('|')

/** A slash of a rate or a ratio. A cell with one has no slash between items. */
const RATE = new RegExp(String.raw`/\s*(?:\d|(?:${RATE_UNITS})(?![\p{L}]))`, 'iu')

/** Separators of other programs, the plainest first. A comma before a digit is part of an amount. */
const SEPARATORS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['line break', /[\r\n]+/],
  ['$$', /\$\$/],
  [';', /;/],
  ['|', /\|/],
  [',', /,(?!\d)/],
  ['/', /\//],
  ['&', /&/],
]

/** Signs that stand in names too: `Griseofulvin, microcrystalline`, `C/S`. */
const IN_NAMES: readonly string[] = [',', '/', '&']

/** How many times as often a column must have its own separator for such a sign to be part of a name. */
const KNOWN_SEPARATOR = 5

/**
 * Whether a sign is part of names in a column, not a separator: the column knows its own separator.
 *
 * @param joined cells with the sign @param split cells with the separator of the field
 */
export const isInNames = (separator: string, joined: number, split: number): boolean =>
  IN_NAMES.includes(separator) && split >= joined * KNOWN_SEPARATOR

/** `["a","b"]` and `{a,b}`, as other programs write lists. */
const IN_BRACKETS = /^(?:\[(.*)\]|\{(.*)\})$/s

/** Most cells have none of these. */
const MAY_JOIN = /[\r\n;|,/&[{]|\$\$/

/** Parts in brackets: a sign in them separates nothing. */
const BRACKETED_PART = /\([^()]*\)|\[[^[\]]*\]/g

/** The items of a text. What stands in brackets is part of one. */
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

/** The items of a cell that are probably several; undefined for one that holds one, or that the service splits. */
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
