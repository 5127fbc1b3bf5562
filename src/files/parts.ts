import Papa from 'papaparse'
import type { Table } from '#files/fix/table'
import { MAX_BODY_BYTES, MAX_CSV_LINES, MAX_CSV_ROWS } from '#shared/limits'
import { LINE_END } from '#shared/records/csv/write'
import { utf8Encoder } from '#shared/text/utf8'

interface PartLimits {
  bytes: number
  /** Number of rows with data. */
  rows: number
  /** Number of all rows, including blank rows. */
  lines: number
}

/** Bytes of a request that are reserved for the form around a file. */
const FORM_BYTES = 2048

const PART_LIMITS: PartLimits = {
  bytes: MAX_BODY_BYTES - FORM_BYTES,
  rows: MAX_CSV_ROWS,
  lines: MAX_CSV_LINES,
}

/** A part of a file that fits into one request. */
export interface Part {
  /** As CSV. */
  content: Blob
  /** Number of rows with data. */
  rows: number
  /** Row numbers of its first and last row, as spreadsheet programs show them. */
  firstRow: number
  lastRow: number
  /** Offset of this part's first row within the file. */
  offset: number
}

/** Most rows to write as text at a time. */
export const ROWS_AT_ONCE = 500
/** Number of characters after which a chunk of rows ends. */
const CHARACTERS_AT_ONCE = 500_000

interface TableChunk {
  bytes: Uint8Array<ArrayBuffer>
  /** Number of all rows. `rows` counts those with data. */
  lines: number
  rows: number
}

const csvText = (rows: string[][]): string => Papa.unparse(rows, { newline: LINE_END }) + LINE_END

const hasData = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '')

/** Removes blank rows at the end: a spreadsheet program may write a million of them. */
function* withoutBlankEnd(rows: Iterable<string[]>): Generator<string[]> {
  let blank = 0
  for (const cells of rows) {
    if (!hasData(cells)) blank++
    else {
      for (; blank > 0; blank--) yield ['']
      yield cells
    }
  }
}

function* chunksOf(rows: Iterable<string[]>, most: number): Generator<TableChunk> {
  let lines: string[][] = []
  let characters = 0
  const chunk = (): TableChunk => ({
    bytes: utf8Encoder.encode(csvText(lines)),
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

const sumOf = (chunks: readonly TableChunk[], of: (chunk: TableChunk) => number): number =>
  chunks.reduce((sum, chunk) => sum + of(chunk), 0)

/** Groups chunks into parts within the limits, each with its own header row. A file without rows has one part. */
function* groupChunks(chunks: Iterable<TableChunk>, headerBytes: number, limits: PartLimits): Generator<TableChunk[]> {
  let group: TableChunk[] = []
  for (const chunk of chunks) {
    const longer = [...group, chunk]
    const fits =
      headerBytes + sumOf(longer, ({ bytes }) => bytes.byteLength) <= limits.bytes &&
      sumOf(longer, ({ rows }) => rows) <= limits.rows &&
      sumOf(longer, ({ lines }) => lines) <= limits.lines
    if (fits || group.length === 0) group = longer
    else {
      yield group
      group = [chunk]
    }
  }
  yield group
}

/**
 * The parts to send: the original file if possible, otherwise rewritten without ignored content. If it is too large for
 * one request, it is split into parts of whole rows.
 *
 * @param bytes of the original file
 */
export function partsOf(table: Table, bytes: Uint8Array<ArrayBuffer>, limits = PART_LIMITS): Part[] {
  const { csv } = table
  const hasFewRows = csv.rows <= limits.rows && csv.lastRow - csv.headerRow <= limits.lines
  const isSmall = bytes.byteLength <= limits.bytes && hasFewRows
  if (isSmall && !table.isChanged && !csv.needsRewrite) {
    const content = new Blob([bytes], { type: 'text/csv' })
    const { rows, headerRow, lastRow } = csv
    return [{ content, rows, firstRow: headerRow + 1, lastRow, offset: 0 }]
  }
  const rows = table.sentRows(bytes.byteLength > limits.bytes)
  const header = utf8Encoder.encode(csvText([rows.next().value ?? []]))
  const chunks = chunksOf(withoutBlankEnd(rows), Math.min(ROWS_AT_ONCE, limits.rows))
  const parts: Part[] = []
  let offset = 0
  for (const group of groupChunks(chunks, header.byteLength, limits)) {
    const lines = sumOf(group, (chunk) => chunk.lines)
    parts.push({
      content: new Blob([header, ...group.map(({ bytes }) => bytes)], { type: 'text/csv' }),
      rows: sumOf(group, (chunk) => chunk.rows),
      firstRow: csv.headerRow + offset + 1,
      lastRow: csv.headerRow + offset + lines,
      offset,
    })
    offset += lines
  }
  return parts
}
