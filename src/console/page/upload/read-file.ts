import { decodeText } from '../../../catalog/csv/decode'
import { detectDialect, type Separator } from '../../../catalog/csv/dialect'
import { type Column, HeaderNames, readHeader } from '../../../catalog/csv/header'
import { splitRows } from '../../../catalog/csv/rows'
import type { RecordType } from '../../../catalog/record-type'
import { ApiError } from '../../../errors'
import { withRowNumbers } from './faults'

/** What a CSV file is made of, found out with the service's own reader. */
export interface CsvFile {
  text: string
  /** `utf-8`, `windows-1252`. */
  encoding: string
  separator: Separator
  /** Where the header row starts in the text. */
  headerStart: number
  /** Number of the header row, as a spreadsheet program shows it: 1 unless there are blank lines above. */
  headerRow: number
  /** The cells of the header row. */
  header: readonly string[]
  /** Columns that are read, in the order of the file. */
  columns: readonly Column[]
  /** Headers of columns that the type does not have. */
  ignored: readonly string[]
  /** Rows with data. */
  rows: number
  /** Cells in which a spreadsheet program has shortened a long number, such as `1.23457E+11`. */
  shortened: Shortened | undefined
}

export interface Shortened {
  cells: number
  /** The first of them. */
  text: string
  header: string
  row: number
}

const SHORTENED_NUMBER = /^\s*-?\d(?:[.,]\d+)?E\+\d+\s*$/

const isBlank = (cell: string): boolean => cell.trim() === ''

/**
 * Looks into a file. Whether its records are valid is for the service to say.
 *
 * @throws Error whose message says why the file cannot be read
 */
export function readCsvFile(bytes: Uint8Array, type: RecordType): CsvFile {
  const { text, encoding } = decodeText(bytes)
  const names = new HeaderNames(type)
  const dialect = detectDialect(text, names)
  const rows = splitRows(text, dialect)
  const header = (rows.next().value ?? []).map((cell: string) => cell.trim())
  const { columns, warnings } = readHeader(header, type, names)
  const headerRow = rowsAbove(text, dialect.headerStart) + 1
  return {
    text,
    encoding,
    ...dialect,
    headerRow,
    header,
    columns: columns.toSorted((a, b) => a.position - b.position),
    ignored: warnings.map(({ field }) => field),
    ...readRows(rows, header, headerRow),
  }
}

/** Lines above the header row that a spreadsheet program shows: blank ones, but not the `sep=` line. */
function rowsAbove(text: string, headerStart: number): number {
  const lines = text
    .slice(0, headerStart)
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
  return lines.filter((line) => !/^"?sep=/i.test(line)).length
}

function readRows(
  rows: Iterable<string[]>,
  header: readonly string[],
  headerRow: number,
): Pick<CsvFile, 'rows' | 'shortened'> {
  let withData = 0
  let shortened: Shortened | undefined
  let row = headerRow
  try {
    for (const cells of rows) {
      row++
      if (cells.every(isBlank)) continue
      withData++
      for (const [position, cell] of cells.entries()) {
        if (!SHORTENED_NUMBER.test(cell)) continue
        shortened ??= { cells: 0, text: cell.trim(), header: header[position] ?? '', row }
        shortened.cells++
      }
    }
  } catch (error) {
    throw error instanceof ApiError ? new Error(withRowNumbers(error.message, headerRow)) : error
  }
  return { rows: withData, shortened }
}
