import { ApiError } from '../../errors'
import { fileFault, unreadable } from './faults'

/**
 * Signatures of spreadsheet workbooks, which people upload in place of the sheet: a ZIP archive (.xlsx, .ods) and a
 * compound file (.xls).
 */
const WORKBOOK_SIGNATURES = [
  [0x50, 0x4b],
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
]

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, i) => bytes[i] === byte)

const markOf = (bytes: Uint8Array) => BYTE_ORDER_MARKS.find(({ mark }) => startsWith(bytes, mark))

/**
 * The text of a CSV file. Its encoding is the charset, where one is given; else the one that the byte order mark
 * tells; else UTF-8; else, when the bytes are not valid UTF-8, Windows-1252 (decisions, section 5).
 *
 * @param bytes the whole file
 * @param charset name of an encoding, in any case (WHATWG Encoding, section 4.2); left out, the bytes decide
 * @returns text that is not blank and does not start with a byte order mark
 * @throws ApiError 415 for an unknown charset; 400 when the bytes are not valid in the charset that is given or that
 *   their byte order mark tells, when the file is empty or blank, and for a spreadsheet workbook
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  if (WORKBOOK_SIGNATURES.some((signature) => startsWith(bytes, signature))) {
    throw unreadable(fileFault('it is a spreadsheet workbook; save the sheet as CSV and send that'))
  }
  const text = (charset === undefined ? decodeUnlabelled(bytes) : decodeAs(bytes, charset)).replace(
    /^\uFEFF+/,
    '',
  )
  if (!/\S/.test(text)) throw unreadable(fileFault('it is empty'))
  return text
}

function decodeAs(bytes: Uint8Array, charset: string): string {
  const mark = markOf(bytes)
  // RFC 2781, section 4.3: under the label `utf-16` the byte order mark decides. TextDecoder takes it for little endian.
  const label = charset.toLowerCase() === 'utf-16' && mark?.encoding === 'utf-16be' ? mark.encoding : charset
  const decoder = decoderOf(label)
  if (decoder === null) {
    throw new ApiError(
      'unsupported_media_type',
      'The charset of the Content-Type is not known; UTF-8 is preferred.',
    )
  }
  const text = decodeStrictly(bytes, decoder)
  if (text === null) {
    throw unreadable(
      fileFault(`its bytes are not valid ${decoder.encoding}, the charset of the Content-Type`),
    )
  }
  return text
}

function decodeUnlabelled(bytes: Uint8Array): string {
  const mark = markOf(bytes)
  const encoding = mark?.encoding ?? 'utf-8'
  const text = decodeStrictly(bytes, new TextDecoder(encoding, { fatal: true, ignoreBOM: false }))
  if (text !== null) return text
  if (encoding !== 'utf-8') {
    throw unreadable(
      fileFault(`its byte order mark says ${encoding}, but its bytes are not valid ${encoding}`),
    )
  }
  // Programs that write Windows-1252 may still put the mark of UTF-8 in front.
  const unmarked = mark === undefined ? bytes : bytes.subarray(mark.mark.length)
  return new TextDecoder('windows-1252').decode(unmarked)
}

/** Null for a label that no encoding has. */
function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false })
  } catch {
    return null
  }
}

/** Null for bytes that are not valid in the decoder's encoding. */
function decodeStrictly(bytes: Uint8Array, decoder: TextDecoder): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
