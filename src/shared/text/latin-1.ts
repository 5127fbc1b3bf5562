/** One character beyond Latin-1 makes each character of a text, and of every text made from it, take two bytes. */

const BEYOND = /[\u0100-\uffff]/
const ALL_BEYOND = new RegExp(BEYOND, 'g')
const LATIN_1_END = 0x100

/** If more characters than one of so many are beyond Latin-1, escaping them saves nothing. */
const CHARACTERS_PER_ESCAPE = 16

export const isLatin1 = (text: string): boolean => !BEYOND.test(text)

/** Whether a text has characters beyond Latin-1, but so few that it is shorter with escapes. */
export function hasFewBeyondLatin1(text: string): boolean {
  if (isLatin1(text)) return false
  let left = Math.floor(text.length / CHARACTERS_PER_ESCAPE)
  for (let i = 0; i < text.length && left >= 0; i++) if (text.charCodeAt(i) >= LATIN_1_END) left--
  return left >= 0
}

/** The same JSON in Latin-1. */
export const jsonInLatin1 = (json: string): string =>
  json.replace(ALL_BEYOND, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * A copy with one byte per character. A substring of a text with two bytes per character, and every text made from it,
 * keeps two.
 *
 * @param text in Latin-1
 */
export const copyInLatin1 = (text: string): string => decoder.decode(encoder.encode(text))
