import {
  CARRIAGE_RETURN,
  CLOSING_BRACE,
  COLON,
  COMMA,
  LINE_FEED,
  OPENING_BRACE,
  QUOTE,
  SPACE,
  TAB,
} from '#shared/text/characters'
import { strictUtf8 } from '#shared/text/utf8'
import { endOfLongString, endOfValue } from './scanner'

/** Position after JSON white space (RFC 8259, section 2) that starts at `from`. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN || bytes[at] === TAB)
    at += 1
  return at
}

const MARK_BYTES = [0xef, 0xbb, 0xbf]

const afterMark = (bytes: Uint8Array): number =>
  MARK_BYTES.every((byte, at) => bytes[at] === byte) ? MARK_BYTES.length : 0

/** The JSON string that starts at `from`. @throws for one that is not valid */
function stringAt(bytes: Uint8Array, from: number): { value: string; end: number } | undefined {
  const quote = bytes[from] === QUOTE ? endOfLongString(bytes, from) : bytes.length
  if (quote === bytes.length) return undefined
  const content = strictUtf8.decode(bytes.subarray(from + 1, quote))
  return { value: content.includes('\\') ? JSON.parse(`"${content}"`) : content, end: quote + 1 }
}

/**
 * Limits for ignored members: bytes of a value that is not a string, and number of members. Real bodies need none.
 */
const MAX_IGNORED_BYTES = 16 * 1024
const MAX_IGNORED_MEMBERS = 100

/**
 * Position after the JSON value that starts at `from`; undefined if it is too long. @throws for one that is not JSON
 */
function valueEnd(bytes: Uint8Array, from: number): number | undefined {
  if (bytes[from] === QUOTE) return stringAt(bytes, from)?.end
  const limit = Math.min(from + MAX_IGNORED_BYTES + 1, bytes.length)
  const end = endOfValue(bytes, from, limit)
  if (end === limit) return undefined
  JSON.parse(strictUtf8.decode(bytes.subarray(from, end)))
  return end
}

/**
 * Reads some members of a JSON object, all of them strings. Other members may hold anything. `JSON.parse` would copy
 * a ciphertext of megabytes, and would not report a member that occurs twice.
 *
 * Not checked: control characters inside a string.
 *
 * @param bytes UTF-8, with or without a byte order mark
 * @param names the members to return
 * @returns undefined for anything else, for one of these members that is not a string, when a member occurs twice,
 *   and when more than `MAX_IGNORED_MEMBERS` members would be ignored
 */
export function stringMembers(
  bytes: Uint8Array,
  names: ReadonlySet<string>,
): Map<string, string> | undefined {
  try {
    return readMembers(bytes, names)
  } catch {
    return undefined
  }
}

function readMembers(bytes: Uint8Array, names: ReadonlySet<string>): Map<string, string> | undefined {
  const members = new Map<string, string>()
  const ignored = new Set<string>()
  let at = skipSpace(bytes, afterMark(bytes))
  if (bytes[at] !== OPENING_BRACE) return undefined
  do {
    const name = stringAt(bytes, skipSpace(bytes, at + 1))
    if (!name || members.has(name.value) || ignored.has(name.value)) return undefined
    const colon = skipSpace(bytes, name.end)
    if (bytes[colon] !== COLON) return undefined
    const start = skipSpace(bytes, colon + 1)
    let end: number | undefined
    if (names.has(name.value)) {
      const value = stringAt(bytes, start)
      if (value) members.set(name.value, value.value)
      end = value?.end
    } else {
      if (name.value.length > MAX_IGNORED_BYTES || ignored.size === MAX_IGNORED_MEMBERS) return undefined
      ignored.add(name.value)
      end = valueEnd(bytes, start)
    }
    if (end === undefined) return undefined
    at = skipSpace(bytes, end)
  } while (bytes[at] === COMMA)
  return bytes[at] === CLOSING_BRACE && skipSpace(bytes, at + 1) === bytes.length ? members : undefined
}
