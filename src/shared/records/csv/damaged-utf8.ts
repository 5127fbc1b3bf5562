import { ApiError, type FieldError, fieldError, sentenceOf } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { Work } from '#shared/work'
import { detectDialect } from './dialect'
import { HeaderNames } from './header'
import { type Cells, rowName, splitRows } from './rows'

/** What stands for bytes that are not valid; also a character of its own. */
const REPLACEMENT = '\uFFFD'
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd]

/** Bytes of a sequence of UTF-8 by its first byte, and the range of its second (WHATWG Encoding, section 8.1.1). */
function sequenceOf(first: number): { length: number; least: number; most: number } | null {
  if (first >= 0xc2 && first <= 0xdf) return { length: 2, least: 0x80, most: 0xbf }
  if (first >= 0xe0 && first <= 0xef)
    return { length: 3, least: first === 0xe0 ? 0xa0 : 0x80, most: first === 0xed ? 0x9f : 0xbf }
  if (first >= 0xf0 && first <= 0xf4)
    return { length: 4, least: first === 0xf0 ? 0x90 : 0x80, most: first === 0xf4 ? 0x8f : 0xbf }
  return null
}

/** A sequence beyond ASCII, or as much of one as there is. A decoder makes one U+FFFD of it if it is not whole. */
interface Sequence {
  /** Position of its first byte. */
  byte: number
  length: number
  isWhole: boolean
}

function sequenceAt(bytes: Uint8Array, byte: number): Sequence {
  const expected = sequenceOf(bytes[byte]!)
  if (expected === null) return { byte, length: 1, isWhole: false }
  let { least, most } = expected
  for (let length = 1; length < expected.length; length++) {
    const next = bytes[byte + length]
    if (next === undefined || next < least || next > most) return { byte, length, isWhole: false }
    least = 0x80
    most = 0xbf
  }
  return { byte, length: expected.length, isWhole: true }
}

function* sequences(bytes: Uint8Array): Generator<Sequence> {
  for (let byte = 0; byte < bytes.length; byte++) {
    if (bytes[byte]! < 0x80) continue
    const sequence = sequenceAt(bytes, byte)
    yield sequence
    byte += sequence.length - 1
  }
}

/** Sequences that are looked at. They show what the others are. */
const SAMPLED_SEQUENCES = 100_000

/**
 * Whether bytes that are not valid UTF-8 are meant to be: no fewer letters beyond ASCII are whole than are damaged.
 * Text in Windows-1252 or the like has next to no such sequences.
 */
export function isDamagedUtf8(bytes: Uint8Array): boolean {
  let whole = 0
  let damagedCount = 0
  for (const { isWhole } of sequences(bytes)) {
    if (isWhole) whole++
    else damagedCount++
    if (whole + damagedCount === SAMPLED_SEQUENCES) break
  }
  return whole >= damagedCount
}

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')

/** Rows from the header row on, as far as they can be read. */
function* readableRows(text: string, type: RecordType): Generator<Cells> {
  try {
    yield* splitRows(text, detectDialect(text, new HeaderNames(type)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

const WHAT_TO_DO =
  'save the file as UTF-8 again, or, if it is in another encoding, name that as the charset of the Content-Type'

/** The cell of a damaged sequence. Row 0 is the header row; without a field it has the name in that row. */
type DamagedCell = { row: number; column: number; field: string | null; cell: string }

/** @param damaged undefined if it is in no row that can be read */
function damageError(bytes: Uint8Array, { byte, length }: Sequence, damaged: DamagedCell | undefined): FieldError {
  const what = `is not valid UTF-8 at byte ${byte} (${hexadecimal(bytes.subarray(byte, byte + length))})`
  if (damaged === undefined)
    return fieldError(null, null, 'malformed', `the file ${what}; ${WHAT_TO_DO}`, null, { byte })
  const { row, column, field, cell } = damaged
  const msg = `${what}, in ${rowName(row)}, column ${column}; ${WHAT_TO_DO}`
  return fieldError(row === 0 ? null : row, field, 'malformed', msg, cell, { row, column, byte })
}

const LISTED_PLACES = 10

/** Work on a sequence, and on a cell. */
const SEQUENCE_UNITS = 2
const CELL_UNITS = 3

/**
 * The first damaged sequences, which of all U+FFFD of the decoded text they are, and how many sequences are damaged.
 */
function* damagedSequences(bytes: Uint8Array): Work<{ sequences: (Sequence & { nth: number })[]; count: number }> {
  const firstSequences: (Sequence & { nth: number })[] = []
  let count = 0
  let nth = 0
  for (const sequence of sequences(bytes)) {
    if (!sequence.isWhole && count++ < LISTED_PLACES) firstSequences.push({ ...sequence, nth })
    if (!sequence.isWhole || REPLACEMENT_BYTES.every((part, i) => bytes[sequence.byte + i] === part)) nth++
    yield SEQUENCE_UNITS
  }
  return { sequences: firstSequences, count }
}

/** The cells of some U+FFFD of a text. @param numbers which of them, counted from 0 */
function* damagedCells(
  text: string,
  type: RecordType,
  numbers: ReadonlySet<number>,
): Work<ReadonlyMap<number, DamagedCell>> {
  const names = new HeaderNames(type)
  const found = new Map<number, DamagedCell>()
  let nth = 0
  let headers: readonly string[] = []
  let row = 0
  for (const cells of readableRows(text, type)) {
    if (row === 0) headers = cells
    for (const [position, cell] of cells.entries()) {
      let at = cell.indexOf(REPLACEMENT)
      if (at === -1) continue
      const header = headers[position]?.trim() ?? ''
      const field = names.fieldOf(header)?.name ?? (header || null)
      const damaged = { row, column: position + 1, field, cell: cell.trim() }
      for (; at !== -1; at = cell.indexOf(REPLACEMENT, at + 1)) if (numbers.has(nth++)) found.set(nth - 1, damaged)
    }
    if (found.size === numbers.size) break
    row++
    yield CELL_UNITS * cells.length
  }
  return found
}

/** The refusal of a file in UTF-8 with damaged places. Its errors name the first ones, and their number. */
export function* damagedFile(bytes: Uint8Array, type: RecordType): Work<ApiError> {
  const { sequences: listedSequences, count } = yield* damagedSequences(bytes)
  const numbers = new Set(listedSequences.map(({ nth }) => nth))
  const cells = yield* damagedCells(new TextDecoder('utf-8').decode(bytes), type, numbers)
  const errors = listedSequences.map((sequence) => damageError(bytes, sequence, cells.get(sequence.nth)))
  const [first] = errors
  if (first === undefined) throw new Error('the file is not damaged')
  const what = count === 1 ? 'one damaged place' : `${count} damaged places`
  const message = `The CSV file has ${what}. The first: ${sentenceOf(first)}. Nothing was written.`
  return new ApiError('invalid_request', message, { errors })
}
