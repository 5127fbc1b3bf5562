import { strictUtf8 } from '#text/utf8'

/** Strings and punctuation of a text that is known to be JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/** The names of the members of the outermost object, in order, repetitions included. */
function* memberNames(text: string): Generator<string> {
  let depth = 0
  let string = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token !== ':') string = token
    else if (depth === 1) yield JSON.parse(string) as string
  }
}

/**
 * The first name that occurs twice in an outermost object; undefined if there is none.
 *
 * @param text known to be JSON
 */
export function repeatedMember(text: string): string | undefined {
  const seen = new Set<string>()
  for (const name of memberNames(text)) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

/**
 * Reads a JSON object of security parameters: a protected header or a set of claims. A member that occurs twice is
 * refused, because parsers differ in which of the two they use (RFC 7515, section 4; RFC 7519, section 4). Nested
 * objects are not checked.
 *
 * @returns undefined unless the bytes are one JSON object in UTF-8, without a byte order mark, with each
 *   member once
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  let text: string
  let value: unknown
  try {
    text = strictUtf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return repeatedMember(text) === undefined ? (value as Record<string, unknown>) : undefined
}
