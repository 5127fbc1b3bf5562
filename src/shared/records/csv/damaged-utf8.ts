import { ApiError, type FieldError, fieldError, sentenceOf } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { Work } from '#shared/work'
import { detectDialect } from './dialect'
import { HeaderNames } from './header'
import { type Cells, rowName, splitRows } from './rows'

/** The replacement character: decoders write it for invalid bytes. */
const REPLACEMENT = '\uFFFD'

/** Stands for a valid U+FFFD in the file. No text contains this character, and it has the same number of bytes. */
const WRITTEN_REPLACEMENT = '\uFDD0'

/** Bytes per call of the decoder: workerd takes twenty times as long for 10 MB of non-Latin text in one piece. */
const PIECE_BYTES = 65_536

/** Decodes a file in pieces. @throws TypeError if the decoder is fatal and the bytes are invalid */
export function* piecesOf(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): Generator<string> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
  yield decoder.decode()
}

/** Decodes UTF-8 in pieces. Each U+FFFD in the result stands for invalid bytes. Keeps a byte order mark. */
function damagedPieces(bytes: Uint8Array): Generator<string> {
  const marked = bytes.slice()
  for (let at = marked.indexOf(0xef); at !== -1; at = marked.indexOf(0xef, at + 1))
    if (marked[at + 1] === 0xbf && marked[at + 2] === 0xbd) marked.set([0xb7, 0x90], at + 1)
  return piecesOf(marked, new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }))
}

/** Size of the sample: characters outside ASCII. */
const SAMPLED_CHARACTERS = 10_000

/**
 * Whether invalid UTF-8 is meant to be UTF-8: at least as many letters outside ASCII are valid as are damaged. Text in
 * Windows-1252 and similar encodings has almost no valid sequences. Looks only at a sample.
 */
export function isDamagedUtf8(bytes: Uint8Array): boolean {
  let [whole, damaged] = [0, 0]
  for (const piece of damagedPieces(bytes)) {
    for (const [character] of piece.matchAll(/[^\0-\u007F]/gu)) {
      if (character === REPLACEMENT) damaged++
      else whole++
    }
    if (whole + damaged >= SAMPLED_CHARACTERS) break
  }
  return whole >= damaged
}

/** A run of invalid bytes, and its position. */
type DamagedBytes = { byte: number; bytes: Uint8Array }

/** The bytes for which a decoder writes one U+FFFD. It writes it when it reads the byte after them. */
function damagedBytesAt(bytes: Uint8Array, byte: number): DamagedBytes {
  let end = byte + 1
  const decoder = new TextDecoder('utf-8')
  while (end <= bytes.length && decoder.decode(bytes.subarray(end - 1, end), { stream: true }) === '') end++
  return { byte, bytes: bytes.subarray(byte, Math.max(byte + 1, end - 1)) }
}

const LISTED_PLACES = 10

function firstDamagedBytes(bytes: Uint8Array, text: string): DamagedBytes[] {
  const found: DamagedBytes[] = []
  let [byte, from] = [0, 0]
  while (found.length < LISTED_PLACES) {
    const at = text.indexOf(REPLACEMENT, from)
    if (at === -1) break
    const place = damagedBytesAt(bytes, byte + new TextEncoder().encode(text.slice(from, at)).length)
    found.push(place)
    byte = place.byte + place.bytes.length
    from = at + 1
  }
  return found
}

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')

/** Rows from the header row on, up to the first that cannot be read. */
function* readableRows(text: string, type: RecordType): Generator<Cells> {
  try {
    yield* splitRows(text, detectDialect(text, new HeaderNames(type)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

const WHAT_TO_DO =
  'save the file as UTF-8 again, or, if it is in another encoding, name that as the charset of the Content-Type'

/** A damaged cell. Row 0 is the header row. Columns without a field are named by their header. */
type DamagedCell = { row: number; column: number; field: string | null; cell: string }

/** @param damaged undefined if its row cannot be read */
function damageError({ byte, bytes }: DamagedBytes, damaged: DamagedCell | undefined): FieldError {
  const what = `is not valid UTF-8 at byte ${byte} (${hexadecimal(bytes)})`
  if (damaged === undefined)
    return fieldError(null, null, 'malformed', `the file ${what}; ${WHAT_TO_DO}`, null, { byte })
  const { row, column, field, cell } = damaged
  const msg = `${what}, in ${rowName(row)}, column ${column}; ${WHAT_TO_DO}`
  return fieldError(row === 0 ? null : row, field, 'malformed', msg, cell, { row, column, byte })
}

const CELL_UNITS = 3

/** The cell of each of the first U+FFFD of a text. */
function* firstDamagedCells(text: string, type: RecordType): Work<DamagedCell[]> {
  const names = new HeaderNames(type)
  const found: DamagedCell[] = []
  let headers: readonly string[] = []
  let row = 0
  for (const cells of readableRows(text, type)) {
    if (row === 0) headers = cells
    for (const [position, cell] of cells.entries()) {
      const count = cell.split(REPLACEMENT, LISTED_PLACES + 1).length - 1
      if (count === 0) continue
      const header = headers[position]?.trim() ?? ''
      const field = names.fieldOf(header)?.name ?? (header || null)
      const value = cell.trim().replaceAll(WRITTEN_REPLACEMENT, REPLACEMENT)
      found.push(...Array<DamagedCell>(count).fill({ row, column: position + 1, field, cell: value }))
    }
    if (found.length >= LISTED_PLACES) break
    row++
    yield CELL_UNITS * cells.length
  }
  return found
}

/** The error for UTF-8 with damaged characters. It lists the first of them and their total. */
export function* damagedFile(bytes: Uint8Array, type: RecordType): Work<ApiError> {
  const text = [...damagedPieces(bytes)].join('')
  yield bytes.byteLength
  const cells = yield* firstDamagedCells(text.replace(/^\uFEFF+/, ''), type)
  const errors = firstDamagedBytes(bytes, text).map((place, nth) => damageError(place, cells[nth]))
  const [first] = errors
  if (first === undefined) throw new Error('the file is not damaged')
  let count = 0
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) count++
  const what = count === 1 ? 'one damaged place' : `${count} damaged places`
  const message = `The CSV file has ${what}. The first: ${sentenceOf(first)}. Nothing was written.`
  return new ApiError('invalid_request', message, { errors })
}
