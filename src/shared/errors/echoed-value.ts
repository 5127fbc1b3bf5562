/** Code points of a rejected value that an error repeats. */
const MAX_ECHOED_CHARACTERS = 200

const ELLIPSIS = '\u2026'

/** A rejected value as an error repeats it: unchanged if it is short, else the beginning of its text or its JSON. */
export function echoedValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value)
  if (typeof value !== 'object' || value === null) return value ?? null
  const text = JSON.stringify(value)
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
