import { ApiError } from '#errors'
import type { Warning } from '#records/warnings'
import { unreadableFile } from './errors'
import { fileKindOf, startsWith } from './file-kind'

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const

const markOf = (bytes: Uint8Array) => BYTE_ORDER_MARKS.find(({ mark }) => startsWith(bytes, mark))

interface DecodedText {
  /** Not blank, and without a byte order mark. */
  text: string
  /** Name of the encoding (WHATWG Encoding, section 4.2) in lower case: `utf-8`, `windows-1252`. */
  encoding: string
  /** One warning if the charset was wrong. */
  warnings: Warning[]
}

/**
 * The text of a CSV file. Its encoding is the charset, if one is given and the bytes are valid in it; else the
 * encoding of the byte order mark; else UTF-8; else, if the bytes are not valid UTF-8, Windows-1252.
 *
 * @param bytes the whole file
 * @param charset name of an encoding, in any case (WHATWG Encoding, section 4.2); without it the bytes decide
 * @throws ApiError 415 for an unknown charset; 400 when the bytes are not valid in the encoding of their byte order
 *   mark, when the file is empty or blank, and for a file of another kind, such as a spreadsheet workbook
 */
export function decodeText(bytes: Uint8Array, charset?: string): DecodedText {
  const kind = fileKindOf(bytes)
  if (kind !== null) throw unreadableFile('wrong_file', `it is ${kind}`)
  const labelled = charset === undefined ? null : decodeAs(bytes, charset)
  const { text: marked, encoding } = labelled ?? decodeUnlabelled(bytes)
  const text = marked.replace(/^\uFEFF+/, '')
  if (!/\S/.test(text)) throw unreadableFile('wrong_file', 'it is empty; send a header row and the records')
  const warnings = charset === undefined || labelled !== null ? [] : [wrongCharset(charset, encoding)]
  return { text, encoding, warnings }
}

const wrongCharset = (charset: string, encoding: string): Warning => ({
  field: 'charset',
  msg: `the Content-Type says ${charset}, but the bytes of the file are not valid ${charset}; they were read as ${encoding}`,
})

type TextAndEncoding = Pick<DecodedText, 'text' | 'encoding'>

/** Labels of ASCII, which TextDecoder reads as Windows-1252. */
const ASCII_LABELS: readonly string[] = ['us-ascii', 'ascii', 'ansi_x3.4-1968']

/** Null when the bytes are not ASCII. */
function decodeAscii(bytes: Uint8Array): TextAndEncoding | null {
  const found = decodeUnlabelled(bytes)
  return found.encoding === 'utf-8' && found.text.length === bytes.byteLength ? found : null
}

/** Null when the bytes are not valid in the charset. */
function decodeAs(bytes: Uint8Array, charset: string): TextAndEncoding | null {
  if (ASCII_LABELS.includes(charset.toLowerCase())) return decodeAscii(bytes)
  const mark = markOf(bytes)
  // RFC 2781, section 4.3: under the label `utf-16` the byte order mark decides. TextDecoder always reads it as
  // little endian.
  const label = charset.toLowerCase() === 'utf-16' && mark?.encoding === 'utf-16be' ? mark.encoding : charset
  const decoder = decoderOf(label)
  if (decoder === null) {
    throw new ApiError(
      'unsupported_media_type',
      'The charset of the Content-Type is not known; send the file as UTF-8 with charset=utf-8.',
    )
  }
  const text = decodeStrictly(bytes, decoder)
  return text === null ? null : { text, encoding: decoder.encoding }
}

function decodeUnlabelled(bytes: Uint8Array): TextAndEncoding {
  const mark = markOf(bytes)
  const encoding = mark?.encoding ?? 'utf-8'
  const text = decodeStrictly(bytes, new TextDecoder(encoding, { fatal: true, ignoreBOM: false }))
  if (text !== null) return { text, encoding }
  if (encoding !== 'utf-8') {
    throw unreadableFile(
      'malformed',
      `its byte order mark says ${encoding}, but its bytes are not valid ${encoding}; save it as UTF-8`,
    )
  }
  // Programs that write Windows-1252 may still put the mark of UTF-8 in front.
  const unmarked = mark === undefined ? bytes : bytes.subarray(mark.mark.length)
  const decoder = new TextDecoder('windows-1252')
  return { text: decoder.decode(unmarked), encoding: decoder.encoding }
}

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
