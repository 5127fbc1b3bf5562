import { ApiError } from '#errors'
import { fileError, unreadableFile } from './errors'

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

/** The text of a file, and how it was written. */
interface DecodedText {
  /** Not blank, and without a byte order mark. */
  text: string
  /** Name of the encoding (WHATWG Encoding, section 4.2) in lower case: `utf-8`, `windows-1252`. */
  encoding: string
}

/** Whether a file is a spreadsheet workbook, of the program's own format. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  WORKBOOK_SIGNATURES.some((signature) => startsWith(bytes, signature))

/**
 * The text of a CSV file. Its encoding is the charset, where one is given; else the one that the byte order mark
 * tells; else UTF-8; else, when the bytes are not valid UTF-8, Windows-1252 (decisions, section 5).
 *
 * @param bytes the whole file
 * @param charset name of an encoding, in any case (WHATWG Encoding, section 4.2); left out, the bytes decide
 * @throws ApiError 415 for an unknown charset; 400 when the bytes are not valid in the charset that is given or that
 *   their byte order mark tells, when the file is empty or blank, and for a spreadsheet workbook
 */
export function decodeText(bytes: Uint8Array, charset?: string): DecodedText {
  if (isWorkbook(bytes)) {
    throw unreadableFile(
      fileError('wrong_file', 'it is a spreadsheet workbook; save the sheet as CSV and send that'),
    )
  }
  const decoded = charset === undefined ? decodeUnlabelled(bytes) : decodeAs(bytes, charset)
  const text = decoded.text.replace(/^\uFEFF+/, '')
  if (!/\S/.test(text)) throw unreadableFile(fileError('wrong_file', 'it is empty'))
  return { text, encoding: decoded.encoding }
}

function decodeAs(bytes: Uint8Array, charset: string): DecodedText {
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
    throw unreadableFile(
      fileError('malformed', `its bytes are not valid ${decoder.encoding}, the charset of the Content-Type`),
    )
  }
  return { text, encoding: decoder.encoding }
}

function decodeUnlabelled(bytes: Uint8Array): DecodedText {
  const mark = markOf(bytes)
  const encoding = mark?.encoding ?? 'utf-8'
  const text = decodeStrictly(bytes, new TextDecoder(encoding, { fatal: true, ignoreBOM: false }))
  if (text !== null) return { text, encoding }
  if (encoding !== 'utf-8') {
    throw unreadableFile(
      fileError('malformed', `its byte order mark says ${encoding}, but its bytes are not valid ${encoding}`),
    )
  }
  // Programs that write Windows-1252 may still put the mark of UTF-8 in front.
  const unmarked = mark === undefined ? bytes : bytes.subarray(mark.mark.length)
  const decoder = new TextDecoder('windows-1252')
  return { text: decoder.decode(unmarked), encoding: decoder.encoding }
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
