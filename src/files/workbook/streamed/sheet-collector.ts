import type { Range } from '@e965/xlsx'
import Papa from 'papaparse'
import { ROWS_AT_ONCE } from '#files/parts'
import { splitRows } from '#shared/records/csv/rows'
import { LINE_END } from '#shared/records/csv/write'
import { utf8Encoder } from '#shared/text/utf8'
import { type Cell, CellReader } from '../sheet-cells'
import type { WorkbookSheet } from '../workbook-sheet'

/** The properties of a sheet in addition to its cells. */
interface SheetLayout {
  merges: readonly Range[]
  /** Positions of hidden rows and of hidden columns. */
  hiddenRows: readonly number[]
  hiddenColumns: readonly number[]
}

/** Writes rows as CSV. Encodes them immediately, because substrings would keep the whole XML in memory. */
class SheetText {
  readonly #chunks: Uint8Array[] = []
  #rows: string[][] = []
  #count = 0
  #hasData = false

  get hasData(): boolean {
    return this.#hasData
  }

  /** Sets a cell in the last row or below; cells in between are blank. @param row from 0 @param column from 0 */
  set(row: number, column: number, text: string): void {
    while (this.#count <= row) this.#addRow()
    const cells = this.#rows.at(-1)
    while (cells !== undefined && cells.length < column) cells.push('')
    cells?.push(text)
    this.#hasData ||= text.trim() !== ''
  }

  text(): string {
    this.#write()
    const decoder = new TextDecoder()
    return this.#chunks.map((bytes) => decoder.decode(bytes)).join(LINE_END)
  }

  #addRow(): void {
    if (this.#rows.length === ROWS_AT_ONCE) this.#write()
    this.#rows.push([])
    this.#count++
  }

  #write(): void {
    this.#chunks.push(utf8Encoder.encode(Papa.unparse(this.#rows, { newline: LINE_END })))
    this.#rows = []
  }
}

/** Builds a sheet from cells that arrive one by one, in order. */
export class SheetCollector {
  readonly #name: string
  readonly #text = new SheetText()
  readonly #cells: CellReader

  constructor(name: string, date1904: boolean) {
    this.#name = name
    this.#cells = new CellReader(date1904)
  }

  /** @param row from 0 @param column from 0 */
  add(row: number, column: number, cell: Cell): void {
    this.#text.set(row, column, this.#cells.read(cell, row, column))
  }

  /** The sheet; empty if it has no data. */
  sheets({ merges, hiddenRows, hiddenColumns }: SheetLayout): WorkbookSheet[] {
    if (!this.#text.hasData) return []
    const csv = this.#text.text()
    const tall = merges.filter(({ s: first, e: last }) => last.r > first.r)
    const rows = tall.length === 0 ? [] : [...splitRows(csv, { separator: ',', headerStart: 0 })]
    return [{ name: this.#name, csv, hiddenRows, hiddenColumns, oddColumns: this.#cells.oddColumns(tall, rows) }]
  }
}
