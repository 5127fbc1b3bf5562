import { unmarkedUtf16 } from '#shared/records/csv/decode'
import { startsWith } from '#shared/records/csv/file-kind'

/** Encodings to choose from when a text is not plainly UTF-8, the most frequent first. */
export const ENCODINGS = ['windows-1252', 'windows-1250', 'windows-1251', 'utf-16le', 'utf-16be'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** How some lines of a file read in one encoding. */
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
/** The part of a file in which such lines are looked for. */
const SAMPLED_BYTES = 1024 * 1024

/** The places of the first lines that read in different ways. */
function sampleLines(text: string, isOdd: (line: string) => boolean): number[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, at) => (isOdd(line) ? [at] : []))
    .slice(0, SAMPLE_LINES)
}

/** The part of a line that is shown: from shortly before its first character that is not ASCII. */
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
  /** In an encoding that the service tells by itself. */
  bytes: Uint8Array<ArrayBuffer>
  /** The encoding of the file, if it had to be guessed or was chosen. */
  encoding: Encoding | undefined
  /** How it reads in all that it can be in; none if its bytes say what it is in. */
  samples: readonly EncodingSample[]
}

/** A file of text in UTF-8, if its own bytes do not say their encoding. @param chosenEncoding by the person */
export function readableBytes(bytes: Uint8Array<ArrayBuffer>, chosenEncoding: Encoding | undefined): ReadableBytes {
  const utf16 = unmarkedUtf16(bytes)
  if (utf16 === undefined && (hasMark(bytes) || isUtf8(bytes))) return { bytes, encoding: undefined, samples: [] }
  const samples = samplesOf(bytes, utf16 !== undefined)
  const encoding = chosenEncoding ?? utf16
  if (encoding === undefined) return { bytes, encoding, samples }
  return { bytes: new TextEncoder().encode(decodeAs(bytes, encoding)), encoding, samples }
}
