import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '#text/characters'

/** Finds values in a valid JSON text without parsing it. */

/** The position of the comma or the bracket after a value. */
export function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === COMMA && depth === 0) return at
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) depth++
    else if ((code === CLOSING_BRACKET || code === CLOSING_BRACE) && --depth < 0) return at
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

/** The members of an object, as often as they occur, with the places of their values. */
export function* membersOf(text: string): Generator<{ name: string; start: number; end: number }> {
  let quote = text.indexOf('"', text.indexOf('{'))
  while (quote !== -1) {
    const nameEnd = endOfString(text, quote)
    const start = text.indexOf(':', nameEnd) + 1
    const end = endOfValue(text, start)
    yield { name: JSON.parse(text.slice(quote, nameEnd)) as string, start, end }
    quote = text.charCodeAt(end) === COMMA ? text.indexOf('"', end) : -1
  }
}

/** The name of the first member that an object has a second time; null if there is none. */
export function repeatedMember(text: string): string | null {
  const names = new Set<string>()
  for (const { name } of membersOf(text)) {
    if (names.has(name)) return name
    names.add(name)
  }
  return null
}
