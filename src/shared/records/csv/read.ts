import { type FieldError, fieldError } from '#shared/errors/errors'
import { MAX_CSV_LINES, MAX_CSV_ROWS } from '#shared/limits'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type BlankRow, NO_ERRORS, type RecordSource, type SourceRecord } from '#shared/records/source'
import { isRuledLine, repeatsHeader } from '#shared/records/text-faults'
import type { Warning } from '#shared/records/warnings'
import { isBlank } from '#shared/text/characters'
import type { Work } from '#shared/work'
import { cellReader } from './cell'
import { KeptTexts, RowFaults, requireHeader } from './cell-faults'
import { decodeText } from './decode'
import { detectDialect } from './dialect'
import { UnreadableFile } from './errors'
import { type Header, HeaderNames, readHeader } from './header'
import { type Cells, splitRows } from './rows'

/** The rows can be read once, even if the file has errors. */
type CsvSource = RecordSource & { warnings: Warning[] }

/** The most rows that a file may have: with data, and in total. */
export interface RowLimits {
  withData: number
  lines: number
}

const ROW_LIMITS: RowLimits = { withData: MAX_CSV_ROWS, lines: MAX_CSV_LINES }

/** Work on a row, and on each of its cells. */
const ROW_UNITS = 5
const CELL_UNITS = 2

const rowUnits = (cells: readonly string[]): number => ROW_UNITS + CELL_UNITS * cells.length

/**
 * Reads a CSV file twice: completely, for the errors of the file, and then row by row, so that only one row is in
 * memory. Does not check lengths, mandatory values, enums and repeated ids.
 *
 * @throws ApiError 400 when no row can be read
 */
export function* readCsv(text: string, type: RecordType, limits = ROW_LIMITS): Work<CsvSource> {
  const names = new HeaderNames(type)
  const dialect = detectDialect(text, names)
  yield text.length
  const rowsOf = () => splitRows(text, dialect)
  const source = yield* readCellRows(rowsOf, type, names, dialect.separator, limits)
  return /[\r\n]$/.test(text) ? { ...source, cutOffRow: null } : source
}

/**
 * Reads rows of cells, the header row first. It cannot see whether the file ends with a line end, so `cutOffRow` may be
 * complete.
 *
 * @param rowsOf returns the rows from the first on; called twice
 */
export function* readCellRows(
  rowsOf: () => Generator<Cells>,
  type: RecordType,
  names: HeaderNames,
  separator: string,
  limits: RowLimits,
): Work<CsvSource> {
  const rows = rowsOf()
  const headerCells: Cells = rows.next().value ?? []
  requireHeader(headerCells)
  const firstHeader = readHeader(headerCells, type, names)
  const { errors, lastRow, cutOffRow, emptyPositions } = yield* errorsBelow(firstHeader, rows, limits)
  const header = emptyPositions.size === 0 ? firstHeader : readHeader(headerCells, type, names, emptyPositions)
  const warnings = [...header.warnings]
  return {
    format: 'csv',
    warnings,
    errors: [...header.errors, ...errors],
    unreadFields: header.unreadFields,
    cutOffRow,
    columns: new Set(header.columns.map(({ field }) => field.name)),
    records: convertRows(rowsOf(), header, lastRow, type, {
      faults: new RowFaults(type, headerCells, header, separator, warnings),
      keptTexts: new KeptTexts(warnings),
    }),
  }
}

/**
 * Finds the file's errors that show in its rows: a column without a header, and an error that ends the reading at
 * `lastRow`. Also finds the columns of mandatory fields without values.
 */
function* errorsBelow(
  header: Header,
  rows: Iterable<Cells>,
  limits: RowLimits,
): Work<{ errors: FieldError[]; lastRow: number; cutOffRow: number | null; emptyPositions: ReadonlySet<number> }> {
  const errors: FieldError[] = []
  /** Columns of mandatory fields without a value so far. */
  let emptyPositions = header.mandatoryPositions
  let index = 0
  let withData = 0
  /** Rows with data that have fewer cells than the header row, and the last of them. */
  let short = 0
  let lastShort: number | null = null
  try {
    for (const cells of rows) {
      const hasData = !cells.every(isBlank)
      if (hasData) withData++
      if (withData > limits.withData || index === limits.lines) {
        errors.push(tooManyRows(limits, index === limits.lines))
        break
      }
      index++
      if (errors.length === 0) errors.push(...unnamedColumn(header, cells, index))
      if (emptyPositions.length > 0) emptyPositions = emptyPositions.filter((at) => isBlank(cells[at] ?? ''))
      if (hasData && cells.length < header.width) {
        short++
        lastShort = index
      }
      yield rowUnits(cells)
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    errors.push(error.fault)
  }
  const isCutOff = short === 1 && lastShort === index && withData > 1
  // Without records, or with unread rows, it is not known whether a column has values.
  const isKnown = withData > 0 && errors.length === 0
  return {
    errors,
    lastRow: index,
    cutOffRow: isCutOff ? lastShort : null,
    emptyPositions: new Set(isKnown ? emptyPositions : []),
  }
}

function tooManyRows({ withData, lines }: RowLimits, blankOnesToo: boolean): FieldError {
  const limit = blankOnesToo ? lines : withData
  const msg = blankOnesToo
    ? `it has more than ${limit} rows, including empty ones; delete the empty rows, or split it into several files`
    : `it has more than ${limit} rows with data; split it into several files`
  return fieldError(null, null, 'too_many', msg, null, { limit })
}

/** The error for a row with a value below an empty header. */
function unnamedColumn({ unnamedPositions }: Header, cells: readonly string[], index: number): FieldError[] {
  // Stop at the first value, or at the end of the row.
  const position = unnamedPositions.find((at) => at >= cells.length || !isBlank(cells[at] ?? ''))
  if (position === undefined || position >= cells.length) return []
  const place = { row: index, column: position + 1 }
  const msg = `column ${place.column} has a value in row ${place.row} but no header; add a header or clear the column`
  return [fieldError(null, null, 'ambiguous_column', msg, cells[position], place)]
}

/** @param rows all rows, the header row first @param lastRow index of the last row to convert */
function* convertRows(
  rows: Iterable<Cells>,
  header: Header,
  lastRow: number,
  { blank }: RecordType,
  { faults, keptTexts }: { faults: RowFaults; keptTexts: KeptTexts },
): Generator<SourceRecord | BlankRow> {
  const plan = header.columns.map(({ position, field }) => ({ position, field, read: cellReader(field) }))
  const positions = new Map(plan.map(({ field, position }) => [field.name, position]))
  let index = -1
  let headerCells: readonly string[] = []
  for (const cells of rows) {
    index++
    if (index === 0) headerCells = cells
    const units = rowUnits(cells)
    if (index > 0 && !cells.every(isBlank)) {
      const record: RawRecord = { ...blank }
      for (const { position, field, read } of plan) {
        const cell = cells[position]
        if (cell === undefined) continue
        const value = read(field.kind === 'any' ? cell : keptTexts.textOf(cell, index))
        if (value !== undefined) record[field.name] = value
      }
      const refusal = noRecord(index, cells, headerCells)
      yield {
        index,
        record,
        ...(refusal === undefined ? {} : { refusal }),
        sentValue: (name) => cells[positions.get(name) ?? -1]?.trim() || null,
        errors:
          cells.faults === undefined
            ? extraCells(index, cells, header)
            : [...faults.errorsOf(index, cells), ...extraCells(index, cells, header)],
        units,
      }
    } else yield { index: null, units }
    if (index === lastRow) return
  }
}

/** The error for a row that programs insert between records, such as a repeated header. */
function noRecord(index: number, cells: readonly string[], headerCells: readonly string[]): FieldError | undefined {
  if (repeatsHeader(cells, headerCells))
    return fieldError(index, null, 'repeated_header', 'the row repeats the header row; delete it', cells)
  if (!isRuledLine(cells)) return undefined
  return fieldError(index, null, 'ruled_line', 'the row is a separator line, not a record; delete it', cells)
}

function extraCells(index: number, cells: readonly string[], { width }: Header): readonly FieldError[] {
  if (cells.length <= width) return NO_ERRORS
  const extra = cells.slice(width)
  if (extra.every(isBlank)) return NO_ERRORS
  const msg =
    `the row has more cells than the header row, which has ${width}; put quotes around a value that contains the ` +
    'separator'
  return [fieldError(index, null, 'too_many', msg, extra, { limit: width })]
}

/** The records of a CSV file. @throws ApiError 415 for an unknown charset; 400 if no row can be read */
export function* csvSource(bytes: Uint8Array, type: RecordType, charset?: string): Work<RecordSource> {
  const decoded = yield* decodeText(bytes, type, charset)
  const source = yield* readCsv(decoded.text, type)
  source.warnings.unshift(...decoded.warnings)
  return source
}
