import Papa from 'papaparse'
import { MAX_BODY_BYTES, MAX_CSV_ROWS } from '#limits'
import { LINE_END } from '#records/csv/write'
import type { CsvFile } from '../read-file'
import type { Table } from './table'

interface PartLimits {
  bytes: number
  rows: number
}

/** The form around a file takes part of what a request may hold, in bytes. */
const FORM_BYTES = 2048

const LIMITS: PartLimits = { bytes: MAX_BODY_BYTES - FORM_BYTES, rows: MAX_CSV_ROWS }

/** As much of a file as one request takes. */
export interface Part {
  content: Blob
  /** Rows with data. */
  rows: number
  /** Numbers of its first and its last row, as a spreadsheet program shows them. */
  firstRow: number
  lastRow: number
  /** What is added to the place of a row in this part for its place in the file. */
  offset: number
}

/** Rows that are written as text at a time, and characters after which there are no more. */
const ROWS_AT_ONCE = 500
const CHARACTERS_AT_ONCE = 500_000

interface Chunk {
  bytes: Uint8Array<ArrayBuffer>
  /** Rows, and those of them with data. */
  lines: number
  rows: number
}

const encoder = new TextEncoder()

const textOf = (rows: string[][]): string => Papa.unparse(rows, { newline: LINE_END }) + LINE_END

const hasData = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')

function* chunksOf(rows: Iterable<string[]>, most: number): Generator<Chunk> {
  let lines: string[][] = []
  let characters = 0
  const chunk = (): Chunk => ({
    bytes: encoder.encode(textOf(lines)),
    lines: lines.length,
    rows: lines.filter(hasData).length,
  })
  for (const cells of rows) {
    lines.push(cells)
    for (const cell of cells) characters += cell.length
    if (lines.length < most && characters < CHARACTERS_AT_ONCE) continue
    yield chunk()
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield chunk()
}

/** Puts chunks together to parts that keep the limits, each below its own header row. */
class PartBuilder {
  readonly #parts: Part[] = []
  readonly #header: Uint8Array<ArrayBuffer>
  readonly #headerRow: number
  readonly #limits: PartLimits
  #chunks: Chunk[] = []
  #lines = 0

  constructor(header: string[], headerRow: number, limits: PartLimits) {
    this.#header = encoder.encode(textOf([header]))
    this.#headerRow = headerRow
    this.#limits = limits
  }

  add(chunk: Chunk): void {
    const bytes = this.#sum(({ bytes: { byteLength } }) => byteLength)
    const isFull =
      bytes + this.#header.byteLength + chunk.bytes.byteLength > this.#limits.bytes ||
      this.#sum(({ rows }) => rows) + chunk.rows > this.#limits.rows
    if (isFull && this.#chunks.length > 0) this.#end()
    this.#chunks.push(chunk)
  }

  /** A file without rows has one part. */
  end(): Part[] {
    if (this.#chunks.length > 0 || this.#parts.length === 0) this.#end()
    return this.#parts
  }

  #sum(of: (chunk: Chunk) => number): number {
    return this.#chunks.reduce((sum, chunk) => sum + of(chunk), 0)
  }

  #end(): void {
    const lines = this.#sum((chunk) => chunk.lines)
    this.#parts.push({
      content: new Blob([this.#header, ...this.#chunks.map(({ bytes }) => bytes)], { type: 'text/csv' }),
      rows: this.#sum(({ rows }) => rows),
      firstRow: this.#headerRow + this.#lines + 1,
      lastRow: this.#headerRow + this.#lines + lines,
      offset: this.#lines,
    })
    this.#lines += lines
    this.#chunks = []
  }
}

/** Whether a file has to be sent in another form than it has. */
const needsRewriting = ({ titleRows, header, sentHeader }: CsvFile): boolean =>
  titleRows > 0 || sentHeader.some((name, position) => name !== header[position])

/**
 * A file as it is sent: as it is where that is possible, else written again without what is not read, and where that is
 * too large for one request, in parts. Parts lie between rows.
 *
 * @param bytes the file as it was chosen
 */
export function partsOf(table: Table, bytes: Uint8Array<ArrayBuffer>, limits = LIMITS): Part[] {
  const { csv } = table
  const isSmall = bytes.byteLength <= limits.bytes && csv.rows <= limits.rows
  if (isSmall && !table.isChanged && !needsRewriting(csv)) {
    const content = new Blob([bytes], { type: 'text/csv' })
    const { rows, headerRow, lastRow } = csv
    return [{ content, rows, firstRow: headerRow + 1, lastRow, offset: 0 }]
  }
  const rows = table.sentRows(bytes.byteLength > limits.bytes)
  const builder = new PartBuilder(rows.next().value ?? [], csv.headerRow, limits)
  for (const chunk of chunksOf(rows, Math.min(ROWS_AT_ONCE, limits.rows))) builder.add(chunk)
  return builder.end()
}
