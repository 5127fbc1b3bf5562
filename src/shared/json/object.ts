import { strictUtf8 } from '#shared/text/utf8'
import { isJsonObject } from './exact-numbers'
import { repeatedMember } from './members'

/**
 * Reads a JSON object of security parameters: a protected header or a set of claims. A member that occurs twice is
 * refused, because parsers differ in which of the two they use (RFC 7515, section 4; RFC 7519, section 4). Nested
 * objects are not checked.
 *
 * @returns undefined unless the bytes are one JSON object in UTF-8, without a byte order mark, with each
 *   member once
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = JSON.parse(strictUtf8.decode(bytes))
  } catch {
    return undefined
  }
  return isJsonObject(value) && repeatedMember(bytes) === undefined ? value : undefined
}
