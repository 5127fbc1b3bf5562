const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0))

/** First bytes of the known formats. `null` matches any byte. */
const SIGNATURES: readonly (readonly [contentType: string, signature: readonly (number | null)[]])[] = [
  ['application/pdf', ascii('%PDF-')],
  ['image/png', [0x89, ...ascii('PNG\r\n\x1a\n')]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/tiff', [...ascii('II'), 42, 0]],
  ['image/tiff', [...ascii('MM'), 0, 42]],
  ['image/webp', [...ascii('RIFF'), null, null, null, null, ...ascii('WEBP')]],
  ['image/gif', ascii('GIF87a')],
  ['image/gif', ascii('GIF89a')],
]

/** Content types of ISO base media files by brand (ISO/IEC 14496-12, 4.3). */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ...['avif', 'avis'].map((brand) => [brand, 'image/avif'] as const),
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'].map((brand) => [brand, 'image/heic'] as const),
])

/** Most bytes of the box that lists the brands. */
const BRANDS_BYTES = 256

/** Most bytes before a PDF's signature (ISO 32000-1, annex H, implementation note 13). */
const BEFORE_PDF_BYTES = 1024

const UNKNOWN = 'application/octet-stream'

export const CONTENT_TYPES = [
  ...new Set([...SIGNATURES.map(([contentType]) => contentType), ...BRANDS.values()]),
  UNKNOWN,
]

/** The content type of a file by its signature (docs/contract.md#document-types), whatever the uploader claims. */
export function contentTypeOf(bytes: Uint8Array): string {
  const match = SIGNATURES.find(([, signature]) =>
    signature.every((byte, index) => bytes[index] !== undefined && (byte === null || bytes[index] === byte)),
  )
  return match?.[0] ?? typeByBrand(bytes) ?? (isLatePdf(bytes) ? 'application/pdf' : UNKNOWN)
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

function typeByBrand(bytes: Uint8Array): string | undefined {
  if (latin1(bytes.subarray(4, 8)) !== 'ftyp') return undefined
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const brands = latin1(bytes.subarray(8, Math.min(size, BRANDS_BYTES))).match(/.{4}/gs) ?? []
  return brands.flatMap((brand) => BRANDS.get(brand) ?? [])[0]
}

const isLatePdf = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, BEFORE_PDF_BYTES + 5)).includes('%PDF-')
