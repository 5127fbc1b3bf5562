import { COLON, COMMA, OPENING_BRACE, QUOTE } from '#shared/text/characters'
import { textBetween } from '#shared/text/utf8'
import { endOfString, endOfValue } from './scanner'

/**
 * The members of an object, as often as they occur, with the places of their values. @param bytes known to be an object
 */
export function* membersOf(bytes: Uint8Array): Generator<{ name: string; start: number; end: number }> {
  let quote = bytes.indexOf(QUOTE, bytes.indexOf(OPENING_BRACE))
  while (quote !== -1) {
    const nameEnd = endOfString(bytes, quote) + 1
    const start = bytes.indexOf(COLON, nameEnd) + 1
    const end = endOfValue(bytes, start)
    const written = textBetween(bytes, quote + 1, nameEnd - 1)
    const name: string = written.includes('\\') ? JSON.parse(`"${written}"`) : written
    yield { name, start, end }
    quote = bytes[end] === COMMA ? bytes.indexOf(QUOTE, end) : -1
  }
}

/** The name of the first member that an object has a second time. @param bytes known to be an object */
export function repeatedMember(bytes: Uint8Array): string | undefined {
  const names = new Set<string>()
  for (const { name } of membersOf(bytes)) {
    if (names.has(name)) return name
    names.add(name)
  }
  return undefined
}
