import { ApiError } from '#errors/errors'
import { columnsOf, type FileColumn, type Mapping } from '#import/columns/columns'
import { atOnce } from '#json/steps'
import { decodeText } from '#records/csv/decode'
import { type Dialect, detectDialect, SEPARATOR_LINE, type Separator } from '#records/csv/dialect'
import { headerFault } from '#records/csv/faults'
import { type Column, HeaderNames, readHeader } from '#records/csv/header'
import { type Cells, splitRows } from '#records/csv/rows'
import { ERRORS_COLUMN, type RecordType } from '#records/record-type'
import { isBlank } from '#text/blank'
import { findHeaderRow } from './header-row'

/** What a CSV file is made of, found out with the service's own reader. */
export interface CsvFile {
  text: string
  /** `utf-8`, `windows-1252`. */
  encoding: string
  /** What to know of the encoding, if it was guessed. */
  encodingWarning: string | undefined
  separator: Separator
  /** Where the header row starts in the text. */
  headerStart: number
  /** Whether a `sep=` line stands above the header row. */
  declaresSeparator: boolean
  /** Rows with a title or the like, from `headerStart` to the header row. */
  titleRows: number
  /** Number of the header row, as a spreadsheet program shows it: 1 unless there are rows above. */
  headerRow: number
  header: readonly string[]
  /** All columns, with the fields that they become. */
  fileColumns: readonly FileColumn[]
  /** The header row with the names of the fields that were guessed or chosen. */
  sentHeader: readonly string[]
  /** Columns that are read, in the order of the file. */
  columns: readonly Column[]
  ignored: readonly string[]
  /** Rows with data. */
  rows: number
  /** Number of the last row. */
  lastRow: number
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

/** Rows that the examples of a column come from. */
const ROWS_FOR_EXAMPLES = 50

/**
 * A message of the service, which counts rows from the first below the header row, for people, who read the numbers
 * beside the rows.
 */
export const withRowNumbers = (message: string, headerRow: number): string =>
  message.replace(
    /(?<!header )\b(at index|row) (\d+)/g,
    (_, word: string, index: string) => `${word === 'row' ? 'row' : 'in row'} ${Number(index) + headerRow}`,
  )

/** The rows of a file from its header row on. @throws ApiError 400 at a quote that never closes */
export function* rowsOf({
  text,
  separator,
  headerStart,
  titleRows,
}: Pick<CsvFile, 'text' | 'separator' | 'headerStart' | 'titleRows'>): Generator<Cells> {
  const rows = splitRows(text, { separator, headerStart })
  for (let row = 0; row < titleRows; row++) rows.next()
  yield* rows
}

export function firstOf(rows: Iterable<Cells>, count: number): Cells[] {
  const first: Cells[] = []
  for (const cells of rows) {
    if (first.push(cells) === count) break
  }
  return first
}

/** A column that is left out has the header of one that is passed over in silence. */
const sentHeaderOf = (columns: readonly FileColumn[]): string[] =>
  columns.map(({ header, field, by }) => {
    if (by === undefined || by === 'known') return header
    return field?.name ?? ERRORS_COLUMN
  })

/**
 * Looks into a file. Whether its records are valid is for the service to say.
 *
 * @param mapping where the person wants columns to go
 * @throws Error whose message says why the file cannot be read
 */
export function readCsvFile(bytes: Uint8Array, type: RecordType, mapping: Mapping = {}): CsvFile {
  const names = new HeaderNames(type)
  const { text, encoding, warnings } = decoded(bytes, type, names)
  const dialect = detectDialect(text, names)
  const { firstRow, declares } = firstRowOf(text, dialect)
  const place = { text, ...dialect, ...findHeaderRow(text, dialect, names) }
  try {
    return {
      ...place,
      encoding,
      encodingWarning: warnings[0]?.msg,
      declaresSeparator: declares,
      ...readTable(place, firstRow, type, names, mapping),
    }
  } catch (error) {
    throw error instanceof ApiError ? new Error(withRowNumbers(error.message, firstRow)) : error
  }
}

/** @throws Error whose message says why the bytes are no text, with the row numbers of the spreadsheet */
function decoded(bytes: Uint8Array, type: RecordType, names: HeaderNames) {
  try {
    return atOnce(decodeText(bytes, type))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const text = new TextDecoder().decode(bytes)
    const headerRow = text.trim() === '' ? 1 : firstRowOf(text, detectDialect(text, names)).firstRow
    throw new Error(withRowNumbers(error.message, headerRow))
  }
}

/** The number of the first row that is not blank, as a spreadsheet program shows it, and whether a `sep=` line is above. */
function firstRowOf(text: string, { headerStart }: Dialect): { firstRow: number; declares: boolean } {
  const above = text
    .slice(0, headerStart)
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
  const declaring = above.filter((line) => SEPARATOR_LINE.test(line)).length
  // A spreadsheet program shows blank lines, but not the line that names the separator.
  return { firstRow: above.length - declaring + 1, declares: declaring > 0 }
}

/** @param firstRow number of the row at `headerStart`, as a spreadsheet program shows it */
function readTable(
  place: Parameters<typeof rowsOf>[0],
  firstRow: number,
  type: RecordType,
  names: HeaderNames,
  mapping: Mapping,
) {
  const headerRow = firstRow + place.titleRows
  const [header = [], ...samples] = firstOf(rowsOf(place), ROWS_FOR_EXAMPLES)
  const fault = headerFault(header)
  if (fault !== undefined) throw fault
  const trimmed = header.map((cell) => cell.trim())
  const fileColumns = columnsOf(trimmed, samples, type, names, mapping)
  const sentHeader = sentHeaderOf(fileColumns)
  const { columns, warnings } = readHeader(sentHeader, type, names)
  const rows = rowsOf(place)
  rows.next()
  return {
    headerRow,
    header: trimmed,
    fileColumns,
    sentHeader,
    columns: columns.toSorted((a, b) => a.position - b.position),
    ignored: warnings.map(({ field }) => field),
    ...readRows(rows, trimmed, headerRow),
  }
}

function readRows(
  rows: Iterable<string[]>,
  header: readonly string[],
  headerRow: number,
): Pick<CsvFile, 'rows' | 'lastRow' | 'shortened' | 'formulaErrors'> {
  let withData = 0
  let row = headerRow
  const found: Pick<CsvFile, 'shortened' | 'formulaErrors'> = {
    shortened: undefined,
    formulaErrors: undefined,
  }
  const note = (kind: keyof typeof found, cell: string, position: number) => {
    found[kind] ??= { count: 0, first: { text: cell.trim(), header: header[position] ?? '', row } }
    found[kind].count++
  }
  for (const cells of rows) {
    row++
    if (cells.every(isBlank)) continue
    withData++
    for (const [position, cell] of cells.entries()) {
      if (SHORTENED_NUMBER.test(cell)) note('shortened', cell, position)
      else if (FORMULA_ERROR.test(cell)) note('formulaErrors', cell, position)
    }
  }
  return { rows: withData, lastRow: row, ...found }
}
