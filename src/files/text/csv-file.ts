import { countValues } from '#files/columns/column-values'
import { columnsOf } from '#files/columns/columns'
import { type EarlierColumns, earlierTarget } from '#files/columns/earlier-columns'
import type { ColumnMeanings, FileColumn, Mapping } from '#files/columns/file-column'
import { ApiError, type FieldError } from '#shared/errors/errors'
import { requireHeader } from '#shared/records/csv/cell-faults'
import { decodeText } from '#shared/records/csv/decode'
import { type Dialect, detectDialect, SEPARATOR_LINE, type Separator } from '#shared/records/csv/dialect'
import { type Column, HeaderNames, readHeader } from '#shared/records/csv/header'
import { type Cells, splitRows } from '#shared/records/csv/rows'
import { ERRORS_COLUMN, type RecordType } from '#shared/records/record-type'
import { atOnce } from '#shared/work'
import { type Encoding, type EncodingSample, readableBytes } from './encodings'
import { refusalOf, unknownKindOf } from './file-messages'
import { type FirstRow, firstRowsOf } from './first-rows'
import { findHeaderRow, firstRows } from './header-row'
import { isPipeSeparated, withCommas } from './pipe-separated'
import { factsOf, type RowFacts } from './row-facts'

/** The structure of a CSV file, parsed with the service's own code. */
export interface CsvFile extends RowFacts {
  text: string
  /** For example `utf-8` or `windows-1252`. */
  encoding: string
  /** Samples in other encodings, if the bytes do not determine the encoding. */
  encodingSamples: readonly EncodingSample[]
  separator: Separator
  /** Whether the file itself separates columns by `|`. */
  hasPipes: boolean
  /** Position in the text where the rows start. */
  headerStart: number
  /** Whether there is a `sep=` line above the header row. */
  declaresSeparator: boolean
  /** Number of rows with titles and the like, from `headerStart` to the header row. */
  titleRows: number
  /** Whether the file has a header row. If not, its headers are made up. */
  hasHeader: boolean
  /**
   * Number of the header row, as spreadsheet programs show it: 1 unless there are rows above it. If there is no header
   * row, the number of the first row minus 1.
   */
  headerRow: number
  /** The first rows, from `headerStart`. */
  firstRows: readonly FirstRow[]
  /** Ignored rows, up to and including the header row, that may be records. */
  rowsAbove: readonly FirstRow[]
  header: readonly string[]
  /** All columns, with their mapped fields. */
  fileColumns: readonly FileColumn[]
  /** The header row, with the names of guessed or chosen fields. */
  sentHeader: readonly string[]
  /** Columns that are read, in file order. */
  columns: readonly Column[]
  ignoredColumns: readonly string[]
  /** Errors for fields with two columns, and for required fields without a column. */
  headerErrors: readonly FieldError[]
  /** Whether the service would read the original file differently, or not at all. */
  needsRewrite: boolean
}

/** Number of rows that determine the number of columns of a file without a header row. */
const ROWS_FOR_WIDTH = 50

/**
 * Converts the row numbers in a message of the service, which counts from the header row, to those of the spreadsheet.
 */
export const withRowNumbers = (message: string, headerRow: number): string =>
  message.replace(
    /(?<!header )\b(at index|row) (\d+)/g,
    (_, word: string, index: string) => `${word === 'row' ? 'row' : 'in row'} ${Number(index) + headerRow}`,
  )

type TableText = Pick<CsvFile, 'text' | 'separator' | 'headerStart' | 'titleRows' | 'hasHeader'>

/** The name of a spreadsheet column: `A`, `B`, … `Z`, `AA`. @param position from 0 */
export function columnLetters(position: number): string {
  const lastLetter = String.fromCharCode('A'.charCodeAt(0) + (position % 26))
  return position < 26 ? lastLetter : columnLetters(Math.floor(position / 26) - 1) + lastLetter
}

/** Creates a header row for a file without one. */
function makeHeader(text: string, place: Dialect): string[] {
  const width = Math.max(...firstRows(text, place, ROWS_FOR_WIDTH).map(({ length }) => length))
  return Array.from({ length: width }, (_, position) => `Column ${columnLetters(position)}`)
}

/** The rows of a file, beginning with the header row. @throws ApiError 400 at a quote that is never closed */
export function* rowsOf({ text, separator, headerStart, titleRows, hasHeader }: TableText): Generator<Cells> {
  if (!hasHeader) yield makeHeader(text, { separator, headerStart })
  const rows = splitRows(text, { separator, headerStart })
  for (let row = 0; row < titleRows; row++) rows.next()
  yield* rows
}

/** The first rows, up to a given number. */
export function rowsUpTo(rows: Iterable<Cells>, count: number): Cells[] {
  const beginning: Cells[] = []
  for (const cells of rows) {
    if (beginning.push(cells) === count) break
  }
  return beginning
}

/**
 * The header row to send. A column that is ignored gets a header that the service ignores without a warning. The
 * service would reject an empty header; the user has seen that the column is ignored.
 */
const sentHeaderOf = (columns: readonly FileColumn[]): string[] =>
  columns.map(({ header, field, by, filled }) => {
    if (by === 'header' || (by === undefined && (header !== '' || filled === 0))) return header
    return field?.name ?? ERRORS_COLUMN
  })

/** How to read a file, in addition to its own content. */
export interface CsvReading {
  /** The targets that the user has chosen for columns. */
  mapping?: Mapping | undefined
  /** The user's explanations of column values. */
  meanings?: ColumnMeanings | undefined
  /** Column mappings of earlier files, newest last. */
  memory?: readonly EarlierColumns[] | undefined
  /** Position of the header row among the first rows, from 0; null if there is none. If omitted, it is detected. */
  headerAt?: number | null | undefined
  /** Columns that are hidden in the spreadsheet. */
  hidden?: readonly number[] | undefined
  /** Rows that are hidden in the spreadsheet: their positions, from 0. */
  hiddenRows?: readonly number[] | undefined
  /** Number of digits of the IDs, including leading zeros that the file has lost; null if the IDs are right. */
  idDigits?: number | null | undefined
  /** The encoding, if the bytes do not determine it. Windows-1252 if omitted. */
  encoding?: Encoding | undefined
}

/**
 * Reads the structure of a file: encoding, separator, header row and columns. Does not check the records.
 *
 * @throws Error with the reason, if the file cannot be read
 */
export function readCsvFile(bytes: Uint8Array<ArrayBuffer>, type: RecordType, reading: CsvReading = {}): CsvFile {
  const names = new HeaderNames(type)
  const { text, hasPipes, encoding, samples } = decodeFile(bytes, type, names, reading.encoding)
  try {
    const dialect = detectDialect(text, names)
    const { firstRow, declares } = firstRowOf(text, dialect)
    const headerPlace = findHeaderRow(text, dialect, names)
    const separator = declares && headerPlace.fieldCount === 0 ? dialect.separator : headerPlace.separator
    const { headerAt = headerPlace.titleRows } = reading
    const place = {
      text,
      headerStart: dialect.headerStart,
      separator,
      titleRows: headerAt ?? 0,
      hasHeader: headerAt !== null,
    }
    const table = readTable(place, firstRow, type, names, reading)
    const isReadAsItIs = !hasPipes && samples.length === 0 && separator === dialect.separator && headerAt === 0
    return {
      ...place,
      hasPipes,
      encoding,
      encodingSamples: samples,
      declaresSeparator: declares,
      ...table,
      needsRewrite: !isReadAsItIs || table.sentHeader.some((name, position) => name !== table.header[position]),
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw refusalOf(error, (message) => withRowNumbers(message, firstRowNumber(text, names)))
  }
}

/** @throws Error with the reason and the row number of the spreadsheet, if the bytes are not text */
function decodeFile(
  written: Uint8Array<ArrayBuffer>,
  type: RecordType,
  names: HeaderNames,
  chosenEncoding: Encoding | undefined,
) {
  const unknown = unknownKindOf(written)
  if (unknown !== undefined) throw new Error(unknown)
  const { bytes, encoding, samples } = readableBytes(written, chosenEncoding)
  try {
    const decodedText = atOnce(decodeText(bytes, type))
    const hasPipes = isPipeSeparated(decodedText.text)
    const text = hasPipes ? withCommas(decodedText.text) : decodedText.text
    return { encoding: encoding ?? decodedText.encoding, samples, hasPipes, text }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const text = new TextDecoder().decode(bytes)
    throw refusalOf(error, (message) => withRowNumbers(message, firstRowNumber(text, names)))
  }
}

/** The row number of the first row that is not blank; 1 if there is none. */
const firstRowNumber = (text: string, names: HeaderNames): number => {
  try {
    return firstRowOf(text, detectDialect(text, names)).firstRow
  } catch (error) {
    if (error instanceof ApiError) return 1
    throw error
  }
}

/**
 * The number of the first row that is not blank, as spreadsheet programs show it, and whether a `sep=` line precedes
 * it.
 */
function firstRowOf(text: string, { headerStart }: Dialect): { firstRow: number; declares: boolean } {
  const linesAbove = text
    .slice(0, headerStart)
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
  const separatorLines = linesAbove.filter((line) => SEPARATOR_LINE.test(line)).length
  // Spreadsheet programs show blank lines, but not the line with the separator.
  return { firstRow: linesAbove.length - separatorLines + 1, declares: separatorLines > 0 }
}

/** @param firstRow number of the row at `headerStart`, as spreadsheet programs show it */
function readTable(
  source: TableText,
  firstRow: number,
  type: RecordType,
  names: HeaderNames,
  { mapping = new Map(), memory = [], meanings = new Map(), hidden = [], hiddenRows = [], idDigits }: CsvReading,
) {
  const headerRow = firstRow + source.titleRows - (source.hasHeader ? 0 : 1)
  const [header = []] = rowsUpTo(rowsOf(source), 1)
  requireHeader(header)
  const trimmedHeader = header.map((cell) => cell.trim())
  const recordRows = () => {
    const rows = rowsOf(source)
    rows.next()
    return rows
  }
  const { rows: rowCount, columns: values } = countValues(recordRows())
  const columnFacts = { header: trimmedHeader, values, rows: rowCount, hidden }
  const earlier = (name: string) => earlierTarget(memory, name)
  const fileColumns = columnsOf(columnFacts, type, names, mapping, earlier, meanings).map((column) =>
    column.field?.name === type.idField ? { ...column, digits: idDigits ?? undefined } : column,
  )
  const facts = factsOf({
    rows: recordRows(),
    headerRow,
    columns: fileColumns,
    idField: type.idField,
    hidden: hiddenRows,
  })
  const sentHeader = sentHeaderOf(fileColumns)
  const emptyPositions = new Set(rowCount === 0 ? [] : fileColumns.flatMap((one) => (one.filled ? [] : one.position)))
  const { columns, warnings, errors } = readHeader(sentHeader, type, names, emptyPositions)
  return {
    headerRow,
    ...firstRowsOf(source, firstRow, type, names),
    header: trimmedHeader,
    fileColumns,
    sentHeader,
    columns: columns.toSorted((a, b) => a.position - b.position),
    ignoredColumns: warnings.map(({ field }) => field),
    headerErrors: errors,
    ...facts,
  }
}
