import { BYTE_ORDER_MARK } from '#shared/records/csv/write'

/** The byte of each Windows-1252 character. Browsers only encode UTF-8, so this decodes all bytes. */
function windows1252Bytes(): Map<string, number> {
  const characters = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return new Map([...characters].map((character, byte) => [character, byte]))
}

/**
 * Encodes a text in one of the encodings that `decodeText` recognizes. Characters that Windows-1252 lacks become
 * question marks. UTF-8 and UTF-16 (written as little endian) begin with a byte order mark.
 */
export function encodeText(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === 'windows-1252') {
    const bytes = windows1252Bytes()
    return Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f)
  }
  if (!encoding.startsWith('utf-16')) return new TextEncoder().encode(BYTE_ORDER_MARK + text)
  const textWithMark = BYTE_ORDER_MARK + text
  const view = new DataView(new ArrayBuffer(textWithMark.length * 2))
  for (let i = 0; i < textWithMark.length; i++) view.setUint16(i * 2, textWithMark.charCodeAt(i), true)
  return new Uint8Array(view.buffer)
}
