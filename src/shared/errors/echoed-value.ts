/** Code points of a rejected value that an error repeats. */
const MAX_ECHOED_CHARACTERS = 200

const ELLIPSIS = '\u2026'

/** A rejected value as an error repeats it: unchanged if it is short, else the beginning of its text or its JSON. */
export function echoedValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value)
  if (typeof value !== 'object' || value === null) return value ?? null
  const text = jsonBeginning(value)
  const shown = shorten(text)
  return shown === text ? value : shown
}

/** The JSON text of a value, or a text that begins like it: what is not shown of a large value is not written. */
function jsonBeginning(value: object): string {
  let left = MAX_ECHOED_CHARACTERS
  return JSON.stringify(value, (_name, part: unknown) => {
    if (left-- <= 0) return 0
    if (typeof part === 'string') return part.slice(0, 2 * MAX_ECHOED_CHARACTERS)
    return Array.isArray(part) ? part.slice(0, MAX_ECHOED_CHARACTERS) : part
  })
}

/** A text that a message repeats. Ends between two code points. */
export function shorten(text: string): string {
  if (text.length <= MAX_ECHOED_CHARACTERS) return text
  let end = 0
  for (let count = 0; count < MAX_ECHOED_CHARACTERS && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  // A copy, because a part of a text keeps all of it in memory.
  return end < text.length ? [...text.slice(0, end), ELLIPSIS].join('') : text
}
