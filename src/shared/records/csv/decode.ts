import { ApiError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { Warning } from '#shared/records/warnings'
import type { Work } from '#shared/work'
import { damagedFile, isDamagedUtf8, piecesOf } from './damaged-utf8'
import { unreadableFile } from './errors'
import { fileKindOf, isMarkup, startsWith } from './file-kind'

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const

const byteOrderMark = (bytes: Uint8Array) => BYTE_ORDER_MARKS.find(({ mark }) => startsWith(bytes, mark))

interface DecodedText {
  /** Not blank. Does not include a byte order mark. */
  text: string
  /** Name of the encoding (WHATWG Encoding, section 4.2) in lower case: `utf-8`, `windows-1252`. */
  encoding: string
  /** One warning if the charset was or seems wrong, or if the encoding was guessed. */
  warnings: Warning[]
}

/**
 * Decodes a CSV file (docs/contract.md#csv-encodings).
 *
 * @param type record type whose columns name damaged cells
 * @param charset name of an encoding, in any case (WHATWG Encoding, section 4.2); if absent, the bytes decide
 * @throws ApiError 415 for an unknown charset; 400 for invalid bytes, a blank file, or a file that is not CSV
 */
export function* decodeText(bytes: Uint8Array, type: RecordType, charset?: string): Work<DecodedText> {
  const kind = isMarkup(bytes) ? WEB_PAGE : fileKindOf(bytes)
  if (kind !== null) throw unreadableFile('wrong_file', `it is ${kind}`)
  if (!charset?.toLowerCase().startsWith('utf-16')) requireMarkedUtf16(bytes)
  const inCharset = charset === undefined ? null : decodeAs(bytes, charset)
  const decoded = inCharset ?? decodeUnlabelled(bytes)
  yield bytes.byteLength
  if (decoded === 'damaged') throw yield* damagedFile(bytes, type)
  const { text: markedText, encoding } = decoded
  const text = withoutEndOfFile(markedText.replace(/^\uFEFF+/, ''))
  if (!/\S/.test(text)) throw unreadableFile('wrong_file', 'it is empty; send a header row and the records')
  return {
    text,
    encoding,
    warnings: inCharset === null ? guessWarnings(encoding, charset) : charsetWarnings(bytes, encoding),
  }
}

const WEB_PAGE = 'a web page, or another file with tags; open it in a spreadsheet program and save it as CSV'

/** @throws ApiError 400 for UTF-16 without a byte order mark */
function requireMarkedUtf16(bytes: Uint8Array): void {
  const encoding = unmarkedUtf16(bytes)
  if (encoding === undefined) return
  // The header row begins with Latin letters.
  const zero = encoding === 'utf-16le' ? 1 : 0
  if (bytes[zero] !== 0 || bytes[zero + 2] !== 0) return
  throw unreadableFile(
    'wrong_file',
    `it is UTF-16 without a byte order mark; save it as UTF-8, or send it with charset=${encoding}`,
  )
}

/** Removes the end-of-file mark that DOS programs write. */
function withoutEndOfFile(text: string): string {
  let end = text.length
  while (text[end - 1] === '\u001a') end--
  return text.slice(0, end)
}

/** The warning about an encoding that differs from the stated charset or was guessed. */
function guessWarnings(encoding: string, charset: string | undefined): Warning[] {
  if (charset !== undefined) {
    const msg =
      `the Content-Type says ${charset}, but the bytes of the file are not valid ${charset}; they were read ` +
      `as ${encoding}`
    return [{ field: 'charset', msg }]
  }
  if (encoding !== FALLBACK) return []
  const msg =
    `the bytes of the file are not valid UTF-8; they were read as ${encoding}. If names look wrong, save ` +
    'the file as UTF-8, or name its encoding as the charset of the Content-Type'
  return [{ field: 'charset', msg }]
}

/** The warning about a charset that is probably wrong: text in another encoding is almost never valid UTF-8. */
function charsetWarnings(bytes: Uint8Array, encoding: string): Warning[] {
  if (encoding.startsWith('utf-')) return []
  const text = decodeStrictly(bytes, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }))
  const isAscii = text?.length === bytes.byteLength
  if (text === null || isAscii) return []
  const msg =
    `the file was read as ${encoding}, as the Content-Type says, but its bytes are valid UTF-8. If names ` +
    'look wrong, send it with charset=utf-8'
  return [{ field: 'charset', msg }]
}

/** The encoding assumed for bytes that are not UTF-8. Any other must be named by the charset. */
const FALLBACK = 'windows-1252'

type TextAndEncoding = Pick<DecodedText, 'text' | 'encoding'>

/** Labels of ASCII, which TextDecoder reads as Windows-1252. */
const ASCII_LABELS: readonly string[] = ['us-ascii', 'ascii', 'ansi_x3.4-1968']

/** Null if the bytes are invalid in the charset. */
function decodeAs(bytes: Uint8Array, charset: string): TextAndEncoding | null {
  if (ASCII_LABELS.includes(charset.toLowerCase())) {
    const decoded = decodeUnlabelled(bytes)
    if (decoded === 'damaged' || decoded.encoding !== 'utf-8') return null
    return decoded.text.length === bytes.byteLength ? decoded : null
  }
  const mark = byteOrderMark(bytes)
  // RFC 2781, section 4.3: the byte order mark decides. TextDecoder always reads `utf-16` as little endian.
  const label = charset.toLowerCase() === 'utf-16' && mark?.encoding === 'utf-16be' ? mark.encoding : charset
  const decoder = decoderOf(label)
  const text = decodeStrictly(bytes, decoder)
  return text === null ? null : { text, encoding: decoder.encoding }
}

function decodeUnlabelled(bytes: Uint8Array): TextAndEncoding | 'damaged' {
  const mark = byteOrderMark(bytes)
  const encoding = mark?.encoding ?? 'utf-8'
  const text = decodeStrictly(bytes, new TextDecoder(encoding, { fatal: true, ignoreBOM: false }))
  if (text !== null) return { text, encoding }
  if (encoding !== 'utf-8') {
    throw unreadableFile(
      'malformed',
      `its byte order mark says ${encoding}, but its bytes are not valid ${encoding}; save it as UTF-8`,
    )
  }
  // Some programs write the byte order mark of UTF-8 before Windows-1252.
  const withoutMark = mark === undefined ? bytes : bytes.subarray(mark.mark.length)
  if (isDamagedUtf8(withoutMark)) return 'damaged'
  const decoder = new TextDecoder(FALLBACK)
  return { text: decoder.decode(withoutMark), encoding: decoder.encoding }
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false })
  } catch {
    throw new ApiError(
      'unsupported_media_type',
      'The charset of the Content-Type is not known; send the file as UTF-8 with charset=utf-8.',
    )
  }
}

/** Null if the bytes are invalid in the decoder's encoding. */
function decodeStrictly(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): string | null {
  try {
    return [...piecesOf(bytes, decoder)].join('')
  } catch {
    return null
  }
}

/** Size of the sample, in bytes. */
const SEARCHED_BYTES = 4096

/** Least share of zeros in every other byte: text of every language contains digits, separators and line ends. */
const LEAST_ZEROS = 0.02

/** Detects UTF-16 without a byte order mark: always the first or always the second byte of ASCII is zero. */
export function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros: [even: number, odd: number] = [0, 0]
  const end = Math.min(bytes.length, SEARCHED_BYTES)
  for (let at = 0; at < end; at++) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++
  const most = Math.max(...zeros)
  const isOneSided = Math.min(...zeros) * 3 <= most
  if (!isOneSided || most < (end / 2) * LEAST_ZEROS || byteOrderMark(bytes)) return undefined
  return zeros[1] > zeros[0] ? 'utf-16le' : 'utf-16be'
}
