import { ApiError } from '#errors'
import { decodeText } from '#records/csv/decode'
import { detectDialect, SEPARATOR_LINE, type Separator } from '#records/csv/dialect'
import { type Column, HeaderNames, readHeader } from '#records/csv/header'
import { splitRows } from '#records/csv/rows'
import type { RecordType } from '#records/record-type'
import { withRowNumbers } from './row-numbers'

/** What a CSV file is made of, found out with the service's own reader. */
export interface CsvFile {
  text: string
  /** `utf-8`, `windows-1252`. */
  encoding: string
  separator: Separator
  /** Where the header row starts in the text. */
  headerStart: number
  /** Whether a `sep=` line stands above the header row. */
  declaresSeparator: boolean
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
  shortened: OddCells | undefined
  /** Cells in which it shows that a formula failed, such as `#N/A`. */
  formulaErrors: OddCells | undefined
}

export interface OddCells {
  count: number
  first: { text: string; header: string; row: number }
}

const SHORTENED_NUMBER = /^\s*-?\d(?:[.,]\d+)?E\+\d+\s*$/

/** ECMA-376, part 1, 18.17.3, and what later versions have added. */
const FORMULA_ERROR = /^\s*#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)\s*$/

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
  const above = text
    .slice(0, dialect.headerStart)
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
  const declares = above.filter((line) => SEPARATOR_LINE.test(line)).length
  // A spreadsheet program shows blank lines, but not the line that names the separator.
  const headerRow = above.length - declares + 1
  return {
    text,
    encoding,
    ...dialect,
    declaresSeparator: declares > 0,
    headerRow,
    header,
    columns: columns.toSorted((a, b) => a.position - b.position),
    ignored: warnings.map(({ field }) => field),
    ...readRows(rows, header, headerRow),
  }
}

function readRows(
  rows: Iterable<string[]>,
  header: readonly string[],
  headerRow: number,
): Pick<CsvFile, 'rows' | 'shortened' | 'formulaErrors'> {
  let withData = 0
  let row = headerRow
  const found: Pick<CsvFile, 'shortened' | 'formulaErrors'> = { shortened: undefined, formulaErrors: undefined }
  const note = (kind: keyof typeof found, cell: string, position: number) => {
    found[kind] ??= { count: 0, first: { text: cell.trim(), header: header[position] ?? '', row } }
    found[kind].count++
  }
  try {
    for (const cells of rows) {
      row++
      if (cells.every(isBlank)) continue
      withData++
      for (const [position, cell] of cells.entries()) {
        if (SHORTENED_NUMBER.test(cell)) note('shortened', cell, position)
        else if (FORMULA_ERROR.test(cell)) note('formulaErrors', cell, position)
      }
    }
  } catch (error) {
    throw error instanceof ApiError ? new Error(withRowNumbers(error.message, headerRow)) : error
  }
  return { rows: withData, ...found }
}
