import { endOfString } from './values'

/** Position after JSON white space (RFC 8259, section 2) that starts at `from`. */
function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

/** The JSON string that starts at `from`. Without escapes, it is a part of the text and not a copy. */
function stringAt(text: string, from: number): { value: string; end: number } | undefined {
  if (text[from] !== '"') return undefined
  const end = endOfString(text, from)
  if (end === 0) return undefined
  const content = text.slice(from + 1, end - 1)
  if (!content.includes('\\')) return { value: content, end }
  try {
    return { value: JSON.parse(text.slice(from, end)) as string, end }
  } catch {
    return undefined
  }
}

/**
 * Limits for ignored members: characters of a value that is not a string, and number of members. Real bodies need
 * none.
 */
const MAX_IGNORED_LENGTH = 16 * 1024
const MAX_IGNORED_MEMBERS = 100

/**
 * Position after a list or an object that starts at `from`, by its brackets; -1 when it does not end within
 * `MAX_IGNORED_LENGTH`.
 */
function containerEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length && at < from + MAX_IGNORED_LENGTH; at += 1) {
    const character = text[at]!
    if (character === '"') {
      const end = stringAt(text, at)?.end
      if (end === undefined) return -1
      at = end - 1
    } else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** Position after the JSON value that starts at `from`; undefined when there is none or it is too long. */
function valueEnd(text: string, from: number): number | undefined {
  const first = text[from]
  if (first === '"') return stringAt(text, from)?.end
  const end =
    first === '[' || first === '{'
      ? containerEnd(text, from)
      : from + /^[-+.\w]*/.exec(text.slice(from, from + MAX_IGNORED_LENGTH))![0].length
  if (end - from > MAX_IGNORED_LENGTH) return undefined
  try {
    JSON.parse(text.slice(from, end))
    return end
  } catch {
    return undefined
  }
}

/**
 * Reads some members of a JSON object, all of them strings. Other members may hold anything. `JSON.parse` would copy
 * a ciphertext of megabytes, and would not report a member that occurs twice.
 *
 * Not checked: control characters inside a string.
 *
 * @param names the members to return
 * @returns undefined for any other text, for one of these members that is not a string, when a member occurs twice,
 *   and when more than `MAX_IGNORED_MEMBERS` members would be ignored
 */
export function stringMembers(text: string, names: ReadonlySet<string>): Map<string, string> | undefined {
  const members = new Map<string, string>()
  const ignored = new Set<string>()
  let at = skipSpace(text, 0)
  if (text[at] !== '{') return undefined
  do {
    const name = stringAt(text, skipSpace(text, at + 1))
    if (!name || members.has(name.value) || ignored.has(name.value)) return undefined
    const colon = skipSpace(text, name.end)
    if (text[colon] !== ':') return undefined
    const start = skipSpace(text, colon + 1)
    let end: number | undefined
    if (names.has(name.value)) {
      const value = stringAt(text, start)
      if (value) members.set(name.value, value.value)
      end = value?.end
    } else {
      if (name.value.length > MAX_IGNORED_LENGTH || ignored.size === MAX_IGNORED_MEMBERS) return undefined
      ignored.add(name.value)
      end = valueEnd(text, start)
    }
    if (end === undefined) return undefined
    at = skipSpace(text, end)
  } while (text[at] === ',')
  return text[at] === '}' && skipSpace(text, at + 1) === text.length ? members : undefined
}
