import { SSF, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { type Difference, heldValue } from '#import/cells/held-value'
import { mergedCells } from './merged-cells'

export interface OddCell {
  /** From 0, the first row of the sheet. */
  row: number
  shown: string
  held: string
  difference: Difference
  /** Of a cell that is part of a merged one: the row that has its value. */
  from?: number
}

export interface OddColumn {
  /** From 0. */
  position: number
  cells: OddCell[]
}

type Cell = NonNullable<NonNullable<WorkSheet['!data']>[number][number]>

/** Whether the file has a formula and not what it comes to: programs that make workbooks leave that to the reader. */
const isUncomputed = ({ f, t, v }: Cell): boolean => f !== undefined && (t === 'z' || v === undefined)

const shownText = (cell: Cell | undefined): string =>
  cell === undefined || cell.t === 'z' || isUncomputed(cell) ? '' : (cell.w ?? String(cell.v ?? ''))

const two = (value: number): string => String(value).padStart(2, '0')

/** The date of a cell in ISO 8601; undefined for a cell that has another format. */
function dateOf({ t, v, z }: Cell, date1904: boolean): string | undefined {
  if (t !== 'n' || typeof v !== 'number' || typeof z !== 'string' || !SSF.is_date(z)) return undefined
  const date = SSF.parse_date_code(v, { date1904 })
  if (!date) return undefined
  const day = `${date.y}-${two(date.m)}-${two(date.d)}`
  const hasTime = date.H + date.M + date.S > 0
  return hasTime ? `${day} ${two(date.H)}:${two(date.M)}:${two(Math.floor(date.S))}` : day
}

type HeldCell = Pick<OddCell, 'held' | 'difference'>

const heldIn = (cell: Cell, date1904: boolean): HeldCell | undefined =>
  isUncomputed(cell) ? { held: '', difference: 'formula' } : heldValue(cell, dateOf(cell, date1904))

/**
 * The text of each cell of a sheet as the spreadsheet program shows it, row by row, blank rows included, and the cells
 * that hold something else.
 */
export function readCells(
  sheet: WorkSheet,
  workbook: Pick<WorkBook, 'Workbook'>,
): { rows: string[][]; odd: OddColumn[] } {
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true
  const columns: OddColumn[] = []
  const note = (position: number, cell: OddCell) => {
    columns[position] ??= { position, cells: [] }
    columns[position].cells.push(cell)
  }
  const rows = Array.from(sheet['!data'] ?? [], (cells, row) =>
    Array.from(cells ?? [], (cell, position) => {
      const shown = shownText(cell)
      const held = cell === undefined ? undefined : heldIn(cell, date1904)
      if (held !== undefined) note(position, { row, shown, ...held })
      return shown
    }),
  )
  for (const { position, cell } of mergedCells(sheet['!merges'] ?? [], rows)) note(position, cell)
  return { rows, odd: columns.filter((column) => column !== undefined) }
}
