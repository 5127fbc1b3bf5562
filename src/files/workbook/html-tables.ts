import type { Range } from '@e965/xlsx'
import { Parser } from 'htmlparser2'
import Papa from 'papaparse'
import { exactDigits, longNumber, withoutGrouping } from '#files/cells/long-numbers'
import { storedDoubt } from '#files/cells/stored-doubts'
import { LINE_END } from '#shared/records/csv/write'
import { isWrittenDate } from '#shared/records/spreadsheet-damage'
import { mergedCells } from './merged-cells'
import type { OddCell, OddColumn, WorkbookSheet } from './workbook-sheet'

type Attributes = Readonly<Record<string, string>>

/** Excludes XML workbooks, which are not web pages. */
const WORKBOOK = /<(?:\w+:)?workbook\b|<office:document\b/i

export const isWebPage = (text: string): boolean => !WORKBOOK.test(text)

const isHidden = ({ style = '', hidden }: Attributes): boolean =>
  hidden !== undefined || /display\s*:\s*none/i.test(style)

/** Number of rows or columns that a cell spans. */
function span(value: string | undefined, most: number): number {
  const count = Number.parseInt(value ?? '1', 10)
  return Number.isNaN(count) ? 1 : Math.min(Math.max(1, count), most)
}

const MOST_COLUMNS = 1000
const MOST_ROWS = 100_000

/** Most covered cells in all tables of a page together. No real table has more. */
const MOST_COVERED = 2_000_000

/** The number that a spreadsheet program has stored with the text: `x:num` (Excel) or `sdval` (LibreOffice). */
const storedNumber = (attributes: Attributes): string => attributes['x:num'] || attributes.sdval || ''

/** Builds one table of a web page. */
class HtmlTable {
  readonly #rows: string[][] = []
  readonly #hiddenRows: number[] = []
  readonly #hiddenColumns: number[] = []
  readonly #merges: Range[] = []
  readonly #oddColumns = new Map<number, OddCell[]>()
  /** For each column, the row up to which a cell above covers it. */
  readonly #coveredTo: number[] = []
  #coveredCells = 0
  /** Number of further columns that the last cell of the row covers. */
  #further = 0
  #columns = 0
  #cell: { text: string; attributes: Attributes } | undefined

  beginColumn(attributes: Attributes): void {
    const count = span(attributes.span, MOST_COLUMNS)
    for (let n = 0; n < count; n++) {
      if (isHidden(attributes)) this.#hiddenColumns.push(this.#columns)
      this.#columns++
    }
  }

  beginRow(attributes: Attributes): void {
    this.endCell()
    if (isHidden(attributes)) this.#hiddenRows.push(this.#rows.length)
    this.#rows.push([])
    this.#further = 0
  }

  beginCell(attributes: Attributes): void {
    this.endCell()
    if (this.#rows.length === 0) this.#rows.push([])
    this.#cell = { text: '', attributes }
  }

  /** @param text as it is in the page */
  add(text: string): void {
    if (this.#cell !== undefined) this.#cell.text += text.replace(/[ \t\r\n\f]+/g, ' ')
  }

  breakLine(): void {
    if (this.#cell !== undefined) this.#cell.text += '\n'
  }

  endCell(): void {
    if (this.#cell === undefined) return
    const { text, attributes } = this.#cell
    this.#cell = undefined
    const row = this.#rows.length - 1
    const cells = this.#rows[row]!
    // Covered cells are only added before another cell, because cells at the end of a row are blank anyway.
    for (; this.#further > 0; this.#further--) this.#pushCovered(cells)
    while ((this.#coveredTo[cells.length] ?? 0) > row) this.#pushCovered(cells)
    const column = cells.length
    cells.push(this.#shownText(row, column, text.replace(/ *\n */g, '\n').trim(), storedNumber(attributes)))
    const width = span(attributes.colspan, MOST_COLUMNS)
    const height = span(attributes.rowspan, MOST_ROWS)
    this.#further = width - 1
    if (height > 1) this.#cover(row, column, width, height)
  }

  #cover(row: number, column: number, width: number, height: number): void {
    this.#merges.push({ s: { r: row, c: column }, e: { r: row + height - 1, c: column + width - 1 } })
    for (let right = 0; right < width; right++) this.#coveredTo[column + right] = row + height
  }

  /** @throws Error if too many cells are covered */
  #pushCovered(cells: string[]): void {
    if (++this.#coveredCells > MOST_COVERED) throw new Error('too many merged cells')
    cells.push('')
  }

  /**
   * The text of a cell, with all digits of its number. If the stored number differs from the text, the cell is
   * recorded.
   *
   * @param number as the spreadsheet program has stored it
   */
  #shownText(row: number, column: number, shown: string, number: string): string {
    const value = Number(number)
    if (number === '' || Number.isNaN(value) || shown === '' || isWrittenDate(shown)) return shown
    const digits = exactDigits(number)
    if (digits !== undefined) return withoutGrouping(shown) === digits ? shown : digits
    const long = longNumber(value)
    if (long === undefined) {
      const stored = storedDoubt({ t: 'n', v: value, w: shown }, undefined)
      if (stored !== undefined) this.#addOdd(column, { row, shown, ...stored })
      return shown
    }
    if (!long.isExact) this.#addOdd(column, { row, shown: long.digits, stored: '', doubt: 'lostDigits' })
    return long.digits
  }

  #addOdd(position: number, cell: OddCell): void {
    const cells = this.#oddColumns.get(position)
    if (cells === undefined) this.#oddColumns.set(position, [cell])
    else cells.push(cell)
  }

  /** The sheet; empty if it has no data. */
  sheets(name: string): WorkbookSheet[] {
    const rows = this.#rows
    if (!rows.some((cells) => cells.some((cell) => cell !== ''))) return []
    for (const { position, cell } of mergedCells(this.#merges, rows)) {
      if (++this.#coveredCells > MOST_COVERED) throw new Error('too many merged cells')
      this.#addOdd(position, cell)
    }
    const oddColumns: OddColumn[] = [...this.#oddColumns].map(([position, cells]) => ({ position, cells }))
    const csv = Papa.unparse(rows, { newline: LINE_END })
    return [{ name, csv, hiddenRows: this.#hiddenRows, hiddenColumns: this.#hiddenColumns, oddColumns }]
  }
}

/**
 * The tables of a web page that have data, with all cells as text. Includes hidden rows, and the numbers that a
 * spreadsheet program has stored with the text.
 *
 * @throws Error if there is no table
 */
export function htmlSheets(text: string): WorkbookSheet[] {
  const tables: HtmlTable[] = []
  const open: HtmlTable[] = []
  const begin = () => {
    const table = new HtmlTable()
    tables.push(table)
    open.push(table)
    return table
  }
  let isSkipped = false
  const parser = new Parser({
    onopentag(name, attributes) {
      // Some programs write rows without a surrounding table.
      const table = open.at(-1) ?? (name === 'tr' ? begin() : undefined)
      if (name === 'table') begin()
      else if (name === 'style' || name === 'script') isSkipped = true
      else if (name === 'col') table?.beginColumn(attributes)
      else if (name === 'tr') table?.beginRow(attributes)
      else if (name === 'td' || name === 'th') table?.beginCell(attributes)
      else if (name === 'br') table?.breakLine()
    },
    ontext: (more) => {
      if (!isSkipped) open.at(-1)?.add(more)
    },
    onclosetag(name) {
      if (name === 'td' || name === 'th' || name === 'tr') open.at(-1)?.endCell()
      else if (name === 'style' || name === 'script') isSkipped = false
      else if (name === 'table') open.pop()?.endCell()
    },
  })
  parser.end(text)
  for (const table of open) table.endCell()
  if (tables.length === 0) throw new Error('could not find <table>')
  return tables.flatMap((table, at) => table.sheets(`Sheet${at + 1}`))
}
