const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0))

/** First bytes of the known formats; `null` stands for any byte. */
const SIGNATURES: readonly (readonly [contentType: string, signature: readonly (number | null)[]])[] = [
  ['application/pdf', ascii('%PDF-')],
  ['image/png', [0x89, ...ascii('PNG\r\n\x1a\n')]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/tiff', [...ascii('II'), 42, 0]],
  ['image/tiff', [...ascii('MM'), 0, 42]],
  ['image/webp', [...ascii('RIFF'), null, null, null, null, ...ascii('WEBP')]],
]

const UNKNOWN = 'application/octet-stream'

export const CONTENT_TYPES = [...new Set(SIGNATURES.map(([contentType]) => contentType)), UNKNOWN]

/** The content type of a file by its signature (docs/contract.md#document-types). What the uploader says is ignored. */
export function contentTypeOf(bytes: Uint8Array): string {
  const match = SIGNATURES.find(([, signature]) =>
    signature.every((byte, index) => bytes[index] !== undefined && (byte === null || bytes[index] === byte)),
  )
  return match?.[0] ?? UNKNOWN
}
