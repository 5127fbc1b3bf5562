import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '#shared/text/characters'

/**
 * Finds the parts of a JSON text without parsing it. All characters that mean something in JSON are ASCII, so its bytes
 * in UTF-8 are enough. Does not check whether the text is JSON.
 */

/** Is told of each part of a JSON text, in order. */
export interface Walker {
  string(at: number): void
  colon(): void
  comma(at: number): void
  open(at: number): void
  close(at: number): void
}

/** Scans from a position up to another one, and to the end of a string there. @returns where the next scan begins */
export function scan(walker: Walker, bytes: Uint8Array, from: number, to: number): number {
  let at = from
  for (; at < to; at++) {
    switch (bytes[at]) {
      case QUOTE:
        walker.string(at)
        at = endOfString(bytes, at)
        break
      case COLON:
        walker.colon()
        break
      case COMMA:
        walker.comma(at)
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        walker.open(at)
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        walker.close(at)
        break
    }
  }
  return at
}

/** The position of the quote that closes a string; the end of the bytes if nothing does. */
export function endOfString(bytes: Uint8Array, open: number): number {
  let at = open + 1
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return Math.min(at, bytes.length)
}

/** Bytes that are compared one by one after an escaped quote, because others may follow; then so many times as many. */
const NEAR_BYTES = 64
const MORE_BYTES = 8

/** The same for strings that may have megabytes: the engine finds the next quote faster. */
export function endOfLongString(bytes: Uint8Array, open: number): number {
  let at = open + 1
  for (let compared = NEAR_BYTES; at < bytes.length; compared *= MORE_BYTES) {
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1) break
    if (!isEscaped(bytes, quote, at)) return quote
    at = quote + 1
    for (const near = Math.min(at + compared, bytes.length); at < near; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) return at
      if (byte === BACKSLASH) at++
    }
  }
  return bytes.length
}

/** @param from where a character begins that no backslash escapes */
function isEscaped(bytes: Uint8Array, at: number, from: number): boolean {
  let backslashes = 0
  while (at - 1 - backslashes >= from && bytes[at - 1 - backslashes] === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

/** The position of the comma or the bracket after a value; `limit` if there is none before. */
export function endOfValue(bytes: Uint8Array, start: number, limit = bytes.length): number {
  let depth = 0
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA && depth === 0) return at
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth++
    else if ((byte === CLOSING_BRACKET || byte === CLOSING_BRACE) && --depth < 0) return at
  }
  return limit
}
