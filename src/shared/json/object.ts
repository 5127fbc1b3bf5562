import { strictUtf8 } from '#shared/text/utf8'
import { isJsonObject } from './exact-numbers'

/** A bracket or brace, or a string, with the colon after it if it is the name of a property. */
const TOKENS = /[[{]|[\]}]|("(?:[^"\\]|\\.)*")(\s*:)?/g

/** The first property name that occurs twice in one object. @param text valid JSON of a few kilobytes */
export function repeatedMember(text: string): string | undefined {
  const names = new Set<string>()
  let depth = 0
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (string === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (depth === 1 && colon !== undefined) {
      const name: string = JSON.parse(string)
      if (names.has(name)) return name
      names.add(name)
    }
  }
  return undefined
}

/**
 * Reads a protected header or a set of claims. Rejects duplicate properties, because parsers differ in which one they
 * use (RFC 7515, section 4; RFC 7519, section 4). Nested objects are not checked.
 *
 * @returns undefined unless the bytes are one JSON object in UTF-8 without a byte order mark or duplicate properties
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = strictUtf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && repeatedMember(text) === undefined ? value : undefined
  } catch {
    return undefined
  }
}
