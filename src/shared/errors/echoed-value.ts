import { isRawNumber } from '#shared/text/raw-numbers'

/** Code points of a rejected value that an error repeats. */
const MAX_ECHOED_CHARACTERS = 200

const ELLIPSIS = '\u2026'

/**
 * A rejected value as an error repeats it: unchanged if it is short, else its first 200 characters and an
 * ellipsis. A value that is not a string is cut in its JSON text. A value of 10 MB costs no more time and
 * memory than one of 200 characters.
 */
export function echoedValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value)
  if (typeof value !== 'object' || value === null) return value ?? null
  const text = jsonBeginning(value, MAX_ECHOED_CHARACTERS + 1)
  const shown = shorten(text)
  return shown === text ? value : shown
}

/** A text that a message repeats. Ends between two code points. */
export function shorten(text: string): string {
  if (text.length <= MAX_ECHOED_CHARACTERS) return text
  let end = 0
  for (let count = 0; count < MAX_ECHOED_CHARACTERS && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return end < text.length ? text.slice(0, end) + ELLIPSIS : text
}

/** The JSON text of a value, or its beginning with at least this many code points. */
function jsonBeginning(value: unknown, characters: number): string {
  // Two UTF-16 code units for each code point, and what quotes a string.
  const limit = characters * 2 + 2
  let text = ''
  const write = (part: unknown): void => {
    if (text.length >= limit) return
    if (Array.isArray(part)) {
      text += '['
      for (let i = 0; i < part.length && text.length < limit; i++) {
        if (i > 0) text += ','
        write(part[i])
      }
      text += ']'
    } else if (isPlainObject(part)) {
      text += '{'
      let separator = ''
      for (const name in part) {
        text += `${separator}${JSON.stringify(name.slice(0, limit))}:`
        separator = ','
        write(part[name])
        if (text.length >= limit) break
      }
      text += '}'
    } else text += (JSON.stringify(typeof part === 'string' ? part.slice(0, limit) : part) ?? 'null').slice(0, limit)
  }
  write(value)
  return text
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isRawNumber(value)
