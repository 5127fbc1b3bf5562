/** Most code points of a rejected value in an error. */
const MAX_ECHOED_CHARACTERS = 200

const ELLIPSIS = '\u2026'

/**
 * A rejected value as an error echoes it, with its JSON type. Texts, lists and objects are cut off after 200 characters
 * in total, counting one more for each part. An ellipsis replaces the rest, which is not read.
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

/** @param number kept as text, with any number of digits */
function echoedNumber(number: object): unknown {
  const text = JSON.stringify(number)
  return text.length > MAX_ECHOED_CHARACTERS ? Number(text) : number
}

/** A text for a message, cut between two code points. */
export function shorten(text: string, characters = MAX_ECHOED_CHARACTERS): string {
  if (text.length <= characters) return text
  let end = 0
  for (let count = 0; count < characters && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  // A copy, because a substring would keep the whole text in memory.
  return end < text.length ? [...text.slice(0, end), ELLIPSIS].join('') : text
}
