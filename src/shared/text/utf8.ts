export const utf8Encoder = new TextEncoder()

/** Throws for bytes that are not UTF-8. A byte order mark is a character like any other. */
export const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws for bytes that are not UTF-8. A byte order mark at the beginning is dropped. */
export const strictUtf8File = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Puts U+FFFD for bytes that are not UTF-8. A byte order mark at the beginning is dropped. */
export const lenientUtf8 = new TextDecoder()

/** A text of so many bytes is decoded faster by hand, if it is ASCII. */
const SHORT_BYTES = 32

/** Decodes a part of bytes, such as a name. @throws for bytes that are not UTF-8 */
export function textBetween(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT_BYTES) return strictUtf8.decode(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte > 0x7f) return strictUtf8.decode(bytes.subarray(start, end))
    text += String.fromCharCode(byte)
  }
  return text
}
