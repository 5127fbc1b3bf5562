import { unmarkedUtf16 } from '#shared/records/csv/decode'
import { startsWith } from '#shared/records/csv/file-kind'

/** Encodings to choose from if a text is not clearly UTF-8, most frequent first. */
export const ENCODINGS = ['windows-1252', 'windows-1250', 'windows-1251', 'utf-16le', 'utf-16be'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** Some lines of a file, decoded in one encoding. */
export interface EncodingSample {
  encoding: Encoding
  lines: readonly string[]
}

const decodeAs = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes)

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const hasMark = (bytes: Uint8Array): boolean => startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])

const SAMPLE_LINES = 4
const SAMPLE_CHARACTERS = 80
/** The number of bytes to search for such lines. */
const SAMPLED_BYTES = 1024 * 1024

/** The positions of the first lines that encodings decode differently. */
function sampleLines(text: string, isOdd: (line: string) => boolean): number[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, at) => (isOdd(line) ? [at] : []))
    .slice(0, SAMPLE_LINES)
}

/** The part of a line to show: from shortly before its first non-ASCII character. */
function shownPart(line: string): string {
  const at = Math.max(0, line.search(/[^\0-\x7f]/) - SAMPLE_CHARACTERS / 2)
  return `${at > 0 ? '…' : ''}${line.slice(at, at + SAMPLE_CHARACTERS)}`
}

function samplesOf(bytes: Uint8Array, isWide: boolean): EncodingSample[] {
  const beginning = bytes.subarray(0, SAMPLED_BYTES)
  const choices = ENCODINGS.filter((encoding) => encoding.startsWith('utf-16') === isWide)
  const [anyEncoding = 'windows-1252'] = choices
  const places = sampleLines(
    decodeAs(beginning, anyEncoding),
    (line) => line.trim() !== '' && (isWide || /[^\0-\x7f]/.test(line)),
  )
  return choices.map((encoding) => {
    const lines = decodeAs(beginning, encoding).split(/\r\n|\r|\n/)
    return { encoding, lines: places.flatMap((at) => lines[at] ?? []).map(shownPart) }
  })
}

interface ReadableBytes {
  /** In an encoding that the service can detect. */
  bytes: Uint8Array<ArrayBuffer>
  /** The encoding of the file, if it was guessed or chosen. */
  encoding: Encoding | undefined
  /** Samples in all possible encodings; none if the bytes determine the encoding. */
  samples: readonly EncodingSample[]
}

/** Converts a text file to UTF-8, unless its bytes determine their encoding. @param chosenEncoding the user's choice */
export function readableBytes(bytes: Uint8Array<ArrayBuffer>, chosenEncoding: Encoding | undefined): ReadableBytes {
  const utf16 = unmarkedUtf16(bytes)
  if (utf16 === undefined && (hasMark(bytes) || isUtf8(bytes))) return { bytes, encoding: undefined, samples: [] }
  const samples = samplesOf(bytes, utf16 !== undefined)
  const encoding = chosenEncoding ?? utf16
  if (encoding === undefined) return { bytes, encoding, samples }
  return { bytes: new TextEncoder().encode(decodeAs(bytes, encoding)), encoding, samples }
}
