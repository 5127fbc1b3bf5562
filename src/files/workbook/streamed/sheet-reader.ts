import { type Range, utils } from '@e965/xlsx'
import { SHEET_ROWS } from '../text-workbook'
import { UnusualFile } from '../zip'
import { type Attributes, type ElementReader, meantText, RunsText } from './xml'

/** A cell of a sheet, as it is in the file. */
export interface WrittenCell {
  /** `s` a shared string, `str` and `inlineStr` its own text, `b` a boolean, `e` an error, `n` a number. */
  kind: string
  /** Index of its style. */
  style: number
  /** The text of its value; undefined if it has none. */
  value: string | undefined
  hasFormula: boolean
}

/** Number of columns in a sheet: the last one is XFD. */
export const MOST_COLUMNS = 16_384

/**
 * Most cells of a sheet, including the blank ones before the last one of each row, which are written too. A few
 * megabytes of a packed file could have a thousand times more.
 */
export const MOST_CELLS = 50_000_000

/** Receives a cell, and the positions of its row and its column, from 0. */
type TakeCell = (row: number, column: number, cell: WrittenCell) => void

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

/** Reads a sheet (ECMA-376, part 1, 18.3.1), and passes on its cells one by one, in order. */
export class SheetReader implements ElementReader {
  /** Positions of hidden columns. */
  readonly hiddenColumns: number[] = []
  readonly merges: Range[] = []
  /** Positions of hidden rows. */
  readonly hiddenRows: number[] = []
  readonly #take: TakeCell
  readonly #runs = new RunsText()
  #isInRows = false
  #row = -1
  #column = -1
  #cells = 0
  #cell: WrittenCell | undefined

  constructor(take: TakeCell) {
    this.#take = take
  }

  begin = (name: string, attributes: Attributes): void => {
    if (this.#cell !== undefined) this.#beginWithin(this.#cell, name, attributes)
    else if (name === 'sheetData') this.#isInRows = true
    else if (this.#isInRows && name === 'row') this.#beginRow(attributes)
    else if (this.#isInRows && name === 'c') this.#beginCell(attributes)
    else if (name === 'col' && isTrue(attributes.hidden)) this.#hideColumns(attributes)
    else if (name === 'mergeCell') this.merges.push(utils.decode_range(attributes.ref ?? ''))
  }

  end = (name: string, text: string): void => {
    const cell = this.#cell
    if (name === 'sheetData') this.#isInRows = false
    if (cell === undefined) return
    this.#runs.end(name, text)
    if (name === 'v' && text !== '') cell.value = meantText(text)
    else if (name === 'f' && text !== '') cell.hasFormula = true
    else if (name === 'is') cell.value = this.#runs.take()
    else if (name === 'c') {
      this.#take(this.#row, this.#column, cell)
      this.#cell = undefined
    }
  }

  #beginRow({ r: number, hidden }: Attributes): void {
    const row = number === undefined ? this.#row + 1 : Number(number) - 1
    if (!Number.isInteger(row) || row <= this.#row || row >= SHEET_ROWS) throw new UnusualFile('rows in another order')
    this.#row = row
    this.#column = -1
    if (isTrue(hidden)) this.hiddenRows.push(row)
  }

  #beginCell({ r: place, t: kind = 'n', s: style = '0' }: Attributes): void {
    const { r: row, c: column } = place === undefined ? { r: this.#row, c: this.#column + 1 } : utils.decode_cell(place)
    if (row !== this.#row || !(column > this.#column) || column >= MOST_COLUMNS)
      throw new UnusualFile('cells in another order')
    this.#cells += column - this.#column
    if (this.#cells > MOST_CELLS) throw new Error('too many cells')
    this.#column = column
    this.#cell = { kind, style: Number(style), value: undefined, hasFormula: false }
  }

  #beginWithin(cell: WrittenCell, name: string, attributes: Attributes): void {
    this.#runs.begin(name)
    // Only the first of the cells that share a formula contains it.
    if (name === 'f' && attributes.t === 'shared') cell.hasFormula = true
  }

  #hideColumns({ min, max }: Attributes): void {
    const last = Math.min(Number(max), MOST_COLUMNS)
    for (let column = Number(min); column <= last; column++) this.hiddenColumns.push(column - 1)
  }
}
