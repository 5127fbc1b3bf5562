import { type Range, SSF, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { longNumber } from '#files/cells/long-numbers'
import { storedDoubt } from '#files/cells/stored-doubts'
import { mergedCells } from './merged-cells'
import { beginsIn1904, type OddCell, type OddColumn } from './workbook-sheet'

/** A cell of the workbook library. */
export type Cell = NonNullable<NonNullable<WorkSheet['!data']>[number][number]>

/**
 * Whether the file contains a formula without its result. Programs that generate workbooks leave the result to the
 * reader.
 */
const isUncomputed = ({ f, t, v }: Cell): boolean => f !== undefined && (t === 'z' || v === undefined)

const shownText = (cell: Cell): string => (cell.t === 'z' || isUncomputed(cell) ? '' : (cell.w ?? String(cell.v ?? '')))

const two = (value: number): string => String(value).padStart(2, '0')

/** The date of a cell in ISO 8601, or its time if it has no date; undefined for a cell with another format. */
function dateOf({ t, v, z }: Cell, date1904: boolean): string | undefined {
  if (t !== 'n' || typeof v !== 'number' || typeof z !== 'string' || !SSF.is_date(z)) return undefined
  const date = SSF.parse_date_code(v, { date1904 })
  if (!date) return undefined
  const day = `${date.y}-${two(date.m)}-${two(date.d)}`
  const time = `${two(date.H)}:${two(date.M)}:${two(Math.floor(date.S))}`
  // The whole part of the number counts days.
  if (v < 1) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}

type StoredCell = Pick<OddCell, 'stored' | 'doubt'>

/** The shown value of a cell, and a stored value with another meaning. */
function readCell(cell: Cell, date1904: boolean): { shown: string; stored?: StoredCell | undefined } {
  const shown = shownText(cell)
  if (isUncomputed(cell)) return { shown, stored: { stored: '', doubt: 'formula' } }
  const long = longNumber(cell.v)
  if (long === undefined) return { shown, stored: storedDoubt(cell, dateOf(cell, date1904)) }
  return { shown: long.digits, ...(!long.isExact && { stored: { stored: '', doubt: 'lostDigits' } }) }
}

/** Reads the cells of one sheet, and records cells whose stored value differs from their shown value. */
export class CellReader {
  readonly #date1904: boolean
  readonly #columns: OddColumn[] = []

  constructor(date1904: boolean) {
    this.#date1904 = date1904
  }

  /**
   * The text of a cell as spreadsheet programs show it, but with all digits of a number.
   *
   * @param row from 0 @param position from 0
   */
  read(cell: Cell, row: number, position: number): string {
    const { shown, stored } = readCell(cell, this.#date1904)
    if (stored !== undefined) this.#add(position, { row, shown, ...stored })
    return shown
  }

  /** The recorded cells, and those of merged cells. @param rows the sheet as it is shown, as far as it has content */
  oddColumns(merges: readonly Range[], rows: readonly string[][]): OddColumn[] {
    for (const { position, cell } of mergedCells(merges, rows)) this.#add(position, cell)
    return this.#columns.filter((column) => column !== undefined)
  }

  #add(position: number, cell: OddCell): void {
    this.#columns[position] ??= { position, cells: [] }
    this.#columns[position].cells.push(cell)
  }
}

/**
 * The text of each cell of a sheet as spreadsheet programs show it, row by row, including blank rows, and the cells
 * whose stored value differs from it.
 */
export function readCells(
  sheet: WorkSheet,
  workbook: Pick<WorkBook, 'Workbook'>,
): { rows: string[][]; oddColumns: OddColumn[] } {
  const reader = new CellReader(beginsIn1904(workbook))
  const rows = Array.from(sheet['!data'] ?? [], (cells, row) =>
    Array.from(cells ?? [], (cell, position) => (cell === undefined ? '' : reader.read(cell, row, position))),
  )
  return { rows, oddColumns: reader.oddColumns(sheet['!merges'] ?? [], rows) }
}
