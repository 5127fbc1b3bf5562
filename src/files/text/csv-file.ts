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

/** What is known of a CSV file, as the service's own code reads it. */
export interface CsvFile extends RowFacts {
  text: string
  /** `utf-8`, `windows-1252`. */
  encoding: string
  /** How it reads in other encodings, if its bytes do not say which one it has. */
  encodingSamples: readonly EncodingSample[]
  separator: Separator
  /** Whether the columns are separated by `|` in the file itself. */
  hasPipes: boolean
  /** Where the rows start in the text. */
  headerStart: number
  /** Whether a `sep=` line stands above the header row. */
  declaresSeparator: boolean
  /** Rows with a title or the like, from `headerStart` to the header row. */
  titleRows: number
  /** Whether a row names the columns. If not, they have names that were made up. */
  hasHeader: boolean
  /**
   * Number of the header row, as a spreadsheet program shows it: 1 unless there are rows above; one less than that of
   * the first row if no row is the header row.
   */
  headerRow: number
  /** The first rows from `headerStart` on. */
  firstRows: readonly FirstRow[]
  /** Rows up to and including the header row that may be records although they are not read. */
  rowsAbove: readonly FirstRow[]
  header: readonly string[]
  /** All columns, with the fields that they become. */
  fileColumns: readonly FileColumn[]
  /** The header row with the names of the fields that were guessed or chosen. */
  sentHeader: readonly string[]
  /** Columns that are read, in the order of the file. */
  columns: readonly Column[]
  ignoredColumns: readonly string[]
  /** Fields that have two columns, and mandatory ones that have none. */
  headerErrors: readonly FieldError[]
  /** Whether the service would read the original file in another way, or not at all. */
  needsRewrite: boolean
}

/** Rows that tell how many columns a file without a header row has. */
const ROWS_FOR_WIDTH = 50

/** A message of the service with the row numbers of the spreadsheet. The service counts from the header row. */
export const withRowNumbers = (message: string, headerRow: number): string =>
  message.replace(
    /(?<!header )\b(at index|row) (\d+)/g,
    (_, word: string, index: string) => `${word === 'row' ? 'row' : 'in row'} ${Number(index) + headerRow}`,
  )

type TableText = Pick<CsvFile, 'text' | 'separator' | 'headerStart' | 'titleRows' | 'hasHeader'>

/** `A`, `B`, … `Z`, `AA`: the name of a column in a spreadsheet. @param position from 0 */
export function columnLetters(position: number): string {
  const lastLetter = String.fromCharCode('A'.charCodeAt(0) + (position % 26))
  return position < 26 ? lastLetter : columnLetters(Math.floor(position / 26) - 1) + lastLetter
}

/** Makes up a header row for a file that has none. */
function makeHeader(text: string, place: Dialect): string[] {
  const width = Math.max(...firstRows(text, place, ROWS_FOR_WIDTH).map(({ length }) => length))
  return Array.from({ length: width }, (_, position) => `Column ${columnLetters(position)}`)
}

/** The rows of a file from its header row on. @throws ApiError 400 at a quote that never closes */
export function* rowsOf({ text, separator, headerStart, titleRows, hasHeader }: TableText): Generator<Cells> {
  if (!hasHeader) yield makeHeader(text, { separator, headerStart })
  const rows = splitRows(text, { separator, headerStart })
  for (let row = 0; row < titleRows; row++) rows.next()
  yield* rows
}

/** The first rows, up to a number. */
export function rowsUpTo(rows: Iterable<Cells>, count: number): Cells[] {
  const beginning: Cells[] = []
  for (const cells of rows) {
    if (beginning.push(cells) === count) break
  }
  return beginning
}

/**
 * The header row that is sent. A column that is left out gets a header that the service ignores without a warning. So
 * does one without a header, which the service would refuse; the person has seen that it is not read.
 */
const sentHeaderOf = (columns: readonly FileColumn[]): string[] =>
  columns.map(({ header, field, by, filled }) => {
    if (by === 'header' || (by === undefined && (header !== '' || filled === 0))) return header
    return field?.name ?? ERRORS_COLUMN
  })

/** How a file is to be read, beyond what it says itself. */
export interface CsvReading {
  /** Where the person wants columns to go. */
  mapping?: Mapping | undefined
  /** What the person says that values of columns mean. */
  meanings?: ColumnMeanings | undefined
  /** Where the columns of earlier files went, the newest last. */
  memory?: readonly EarlierColumns[] | undefined
  /** Place of the header row among the first rows, from 0; null if the file has none. Left out: the engine finds it. */
  headerAt?: number | null | undefined
  /** Columns that the spreadsheet hides. */
  hidden?: readonly number[] | undefined
  /** Rows that it hides: their places in the spreadsheet, from 0. */
  hiddenRows?: readonly number[] | undefined
  /** How many digits the ids have with the zeros in front that the file has lost; null if they are right. */
  idDigits?: number | null | undefined
  /** The encoding, if its bytes do not say it. Left out: Windows-1252. */
  encoding?: Encoding | undefined
}

/**
 * Reads the structure of a file: encoding, separator, header row and columns. It does not check the records.
 *
 * @throws Error whose message says why the file cannot be read
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

/** @throws Error whose message says why the bytes are no text, with the row numbers of the spreadsheet */
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

/** The number of the first row that is not blank; 1 if there is none. */
const firstRowNumber = (text: string, names: HeaderNames): number => {
  try {
    return firstRowOf(text, detectDialect(text, names)).firstRow
  } catch (error) {
    if (error instanceof ApiError) return 1
    throw error
  }
}

/**
 * The number of the first row that is not blank, as a spreadsheet program shows it, and whether a `sep=` line is above.
 */
function firstRowOf(text: string, { headerStart }: Dialect): { firstRow: number; declares: boolean } {
  const linesAbove = text
    .slice(0, headerStart)
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
  const separatorLines = linesAbove.filter((line) => SEPARATOR_LINE.test(line)).length
  // A spreadsheet program shows blank lines, but not the line that names the separator.
  return { firstRow: linesAbove.length - separatorLines + 1, declares: separatorLines > 0 }
}

/** @param firstRow number of the row at `headerStart`, as a spreadsheet program shows it */
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
