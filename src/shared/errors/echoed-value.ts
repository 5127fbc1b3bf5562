/** Code points of a rejected value that an error repeats. */
const MAX_ECHOED_CHARACTERS = 200

const ELLIPSIS = '\u2026'

/**
 * A rejected value as an error repeats it, with its JSON type. Texts, lists and objects are cut when their parts have
 * 200 characters together (one counts for each part besides its text); an ellipsis takes the place of the rest, which
 * is not read.
 */
export function echoedValue(value: unknown): unknown {
  let left = MAX_ECHOED_CHARACTERS
  const echoed = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const text = shorten(part, left)
      left -= part.length + 1
      return text
    }
    left--
    if (Array.isArray(part)) {
      const items: unknown[] = []
      for (let n = 0; n < part.length && left > 0; n++) items.push(echoed(part[n]))
      return items.length < part.length ? [...items, ELLIPSIS] : items
    }
    if (typeof part !== 'object' || part === null) return part ?? null
    if (JSON.isRawJSON?.(part)) return echoedNumber(part)
    const members: [string, unknown][] = []
    for (const name in part) {
      if (left <= 0) return Object.fromEntries([...members, [ELLIPSIS, ELLIPSIS]])
      members.push([String(echoed(name)), echoed(Reflect.get(part, name))])
    }
    return Object.fromEntries(members)
  }
  return echoed(value)
}

/** @param number in a form that keeps its text, which may have any number of digits */
function echoedNumber(number: object): unknown {
  const text = JSON.stringify(number)
  return text.length > MAX_ECHOED_CHARACTERS ? Number(text) : number
}

/** A text that a message repeats. Ends between two code points. */
export function shorten(text: string, characters = MAX_ECHOED_CHARACTERS): string {
  if (text.length <= characters) return text
  let end = 0
  for (let count = 0; count < characters && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  // A copy, because a part of a text keeps all of it in memory.
  return end < text.length ? [...text.slice(0, end), ELLIPSIS].join('') : text
}
