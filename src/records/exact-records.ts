import { isJsonObject, mayHoldInexactRefid, parseExactJson } from './exact-json'

/**
 * Parses the records of a request and keeps the text of the numbers in `refid`. Parses only the records with such
 * numbers a second time, one by one: keeping the text of every number of a large body takes more memory than an
 * isolate has.
 *
 * @param text JSON: a list of records, or an object with such a list
 * @throws SyntaxError
 */
export function parseExactRecords(text: string): unknown {
  const body: unknown = JSON.parse(text)
  if (!mayHoldInexactRefid(text)) return body
  if (Array.isArray(body)) restoreNumbers(body, text, text.indexOf('['))
  else if (isJsonObject(body)) {
    for (const [name, start] of listsIn(text)) {
      const list = body[name]
      if (Array.isArray(list)) restoreNumbers(list, text, start)
    }
  }
  return body
}

const holdsNumbers = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null)

/** @param start position of the opening bracket of the list */
function restoreNumbers(list: unknown[], text: string, start: number): void {
  let at = start + 1
  for (const record of list) {
    const end = endOfValue(text, at)
    if (isJsonObject(record) && holdsNumbers(record.refid)) {
      record.refid = (parseExactJson(text.slice(at, end)) as { refid: unknown }).refid
    }
    at = end + 1
  }
}

/**
 * Positions at which the lists in an object begin, by the names of its members. If a name occurs twice, the last one
 * counts.
 */
function listsIn(text: string): Map<string, number> {
  const lists = new Map<string, number>()
  let at = text.indexOf('{') + 1
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    if (quote === -1) break
    const nameEnd = endOfString(text, quote)
    const name = JSON.parse(text.slice(quote, nameEnd)) as string
    const value = text.indexOf(':', nameEnd) + 1
    const first = value + text.slice(value, value + LONGEST_GAP).search(/\S/)
    if (text[first] === '[') lists.set(name, first)
    at = endOfValue(text, value) + 1
  }
  return lists
}

/** Most white space between a name and its list. */
const LONGEST_GAP = 1000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/** The position of the comma or the bracket after a value. The text must be valid JSON. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === COMMA && depth === 0) return at
    else if (OPENING.includes(code)) depth++
    else if (CLOSING.includes(code) && --depth < 0) return at
  }
  return text.length
}

/** The position after the quote that closes the string in a JSON text; 0 when nothing closes it. */
export function endOfString(text: string, open: number): number {
  let at = text.indexOf('"', open + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
