/** Position after JSON white space (RFC 8259, section 2) that starts at `from`. */
function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

/** Whether the character at `at` follows an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}

/** The JSON string that starts at `from`. Without escapes, it is a part of the text and not a copy. */
function stringAt(text: string, from: number): { value: string; end: number } | undefined {
  if (text[from] !== '"') return undefined
  let quote = text.indexOf('"', from + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  if (quote === -1) return undefined
  const content = text.slice(from + 1, quote)
  if (!content.includes('\\')) return { value: content, end: quote + 1 }
  try {
    return { value: JSON.parse(text.slice(from, quote + 1)) as string, end: quote + 1 }
  } catch {
    return undefined
  }
}

/**
 * The members of a JSON object that holds only strings. `JSON.parse` would copy a ciphertext of megabytes,
 * and would not report a member that occurs twice.
 *
 * Not checked: control characters inside a string.
 *
 * @param names the allowed members; reading ends at any other
 * @returns undefined for any other text, and when a member occurs twice
 */
export function stringMembers(text: string, names: ReadonlySet<string>): Map<string, string> | undefined {
  const members = new Map<string, string>()
  let at = skipSpace(text, 0)
  if (text[at] !== '{') return undefined
  do {
    const name = stringAt(text, skipSpace(text, at + 1))
    if (!name || !names.has(name.value) || members.has(name.value)) return undefined
    const colon = skipSpace(text, name.end)
    const value = text[colon] === ':' ? stringAt(text, skipSpace(text, colon + 1)) : undefined
    if (!value) return undefined
    members.set(name.value, value.value)
    at = skipSpace(text, value.end)
  } while (text[at] === ',')
  return text[at] === '}' && skipSpace(text, at + 1) === text.length ? members : undefined
}
