import { usualMeaning } from '#files/columns/usual-headers'
import type { Dialect } from '#shared/records/csv/dialect'
import type { HeaderNames } from '#shared/records/csv/header'
import type { Cells } from '#shared/records/csv/rows'
import type { RecordType } from '#shared/records/record-type'
import { firstRows } from './header-row'

/** A row at the beginning of a file, unchanged. */
export interface FirstRow {
  /** Row number, as spreadsheet programs show it. */
  row: number
  cells: readonly string[]
}

interface FirstRowsSource extends Dialect {
  text: string
  /** Number of rows above the header row. */
  titleRows: number
  hasHeader: boolean
}

/** Number of rows to choose the header row from. */
const FIRST_ROWS = 10

/** Fewest cells of a record. A row with fewer cells may be a title. */
const LEAST_CELLS = 2

const filledCells = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length

const DIGIT = /\p{N}/u

/** The share of cells below a header that contain digits, in a column of codes or amounts. */
const LEAST_WITH_DIGITS = 0.6

/**
 * Whether a row is clearly a header row: a cell is a usual header, or a cell without a digit is above cells with
 * digits.
 */
function isHeaderLike(cells: readonly string[], below: readonly Cells[], type: RecordType): boolean {
  return cells.some((cell, position) => {
    if (usualMeaning(cell, type) !== undefined) return true
    const values = below.map((row) => row[position] ?? '').filter((value) => value.trim() !== '')
    const withDigits = values.filter((value) => DIGIT.test(value)).length
    return cell.trim() !== '' && !DIGIT.test(cell) && withDigits > 1 && withDigits >= values.length * LEAST_WITH_DIGITS
  })
}

/**
 * The first rows, and the rows up to the header row that may be records: they have at least half as many cells as the
 * first row below, and no cell is a field name or clearly a header.
 */
export function firstRowsOf(source: FirstRowsSource, firstRow: number, type: RecordType, names: HeaderNames) {
  const { titleRows, hasHeader } = source
  const rows = firstRows(source.text, source, Math.max(FIRST_ROWS, titleRows + 2)).map((cells, at) => ({
    row: firstRow + at,
    cells,
  }))
  const cellsBelow = filledCells(rows[titleRows + 1]?.cells ?? [])
  const mayBeRecord = ({ cells }: FirstRow) =>
    filledCells(cells) >= Math.max(LEAST_CELLS, cellsBelow / 2) &&
    cells.every((cell) => names.fieldOf(cell) === undefined) &&
    !isHeaderLike(
      cells,
      rows.slice(titleRows + 1).map((row) => row.cells),
      type,
    )
  const rowsAbove = hasHeader ? rows.slice(0, titleRows + 1).filter(mayBeRecord) : []
  return { firstRows: rows.slice(0, FIRST_ROWS), rowsAbove }
}
