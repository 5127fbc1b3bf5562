import type { Range } from '@e965/xlsx'
import { Parser } from 'htmlparser2'
import Papa from 'papaparse'
import { storedDoubt } from '#files/cells/stored-doubts'
import { isWrittenDate } from '#files/cells/text-doubts'
import { LINE_END } from '#shared/records/csv/write'
import { mergedCells } from './merged-cells'
import type { OddCell, OddColumn, WorkbookSheet } from './workbook-sheet'

type Attributes = Readonly<Record<string, string>>

/** A workbook in XML is no web page. */
const WORKBOOK = /<(?:\w+:)?workbook\b|<office:document\b/i

export const isWebPage = (text: string): boolean => !WORKBOOK.test(text)

const isHidden = ({ style = '', hidden }: Attributes): boolean =>
  hidden !== undefined || /display\s*:\s*none/i.test(style)

/** How many rows or columns a cell covers. */
function span(value: string | undefined, most: number): number {
  const count = Number.parseInt(value ?? '1', 10)
  return Number.isNaN(count) ? 1 : Math.min(Math.max(1, count), most)
}

const MOST_COLUMNS = 1000
const MOST_ROWS = 100_000

/** A number that a spreadsheet program has written beside its text: Excel as `x:num`, LibreOffice as `sdval`. */
const storedNumber = (attributes: Attributes): string => attributes['x:num'] || attributes.sdval || ''

/** One table of a web page while it is read. */
class HtmlTable {
  readonly #rows: string[][] = []
  readonly #hiddenRows: number[] = []
  readonly #hiddenColumns: number[] = []
  readonly #merges: Range[] = []
  readonly #oddColumns = new Map<number, OddCell[]>()
  /** Cells of later rows that are covered by a cell above, as `row column`. */
  readonly #covered = new Set<string>()
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
  }

  beginCell(attributes: Attributes): void {
    this.endCell()
    if (this.#rows.length === 0) this.#rows.push([])
    this.#cell = { text: '', attributes }
  }

  /** @param text as it stands in the page */
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
    while (this.#covered.has(`${row} ${cells.length}`)) cells.push('')
    const column = cells.length
    const shown = text.replace(/ *\n */g, '\n').trim()
    cells.push(shown)
    const width = span(attributes.colspan, MOST_COLUMNS)
    const height = span(attributes.rowspan, MOST_ROWS)
    for (let n = 1; n < width; n++) cells.push('')
    if (height > 1) this.#cover(row, column, width, height)
    this.#compare(row, column, shown, storedNumber(attributes))
  }

  #cover(row: number, column: number, width: number, height: number): void {
    this.#merges.push({ s: { r: row, c: column }, e: { r: row + height - 1, c: column + width - 1 } })
    for (let down = 1; down < height; down++)
      for (let right = 0; right < width; right++) this.#covered.add(`${row + down} ${column + right}`)
  }

  /** Keeps a cell whose number is not the one that it shows. */
  #compare(row: number, column: number, shown: string, number: string): void {
    const value = Number(number)
    if (number === '' || Number.isNaN(value) || shown === '' || isWrittenDate(shown)) return
    const stored = storedDoubt({ t: 'n', v: value, w: shown }, undefined)
    if (stored !== undefined) this.#addOdd(column, { row, shown, ...stored })
  }

  #addOdd(position: number, cell: OddCell): void {
    this.#oddColumns.set(position, [...(this.#oddColumns.get(position) ?? []), cell])
  }

  /** What was read; nothing if it has no data. */
  sheets(name: string): WorkbookSheet[] {
    const rows = this.#rows
    if (!rows.some((cells) => cells.some((cell) => cell !== ''))) return []
    for (const { position, cell } of mergedCells(this.#merges, rows)) this.#addOdd(position, cell)
    const oddColumns: OddColumn[] = [...this.#oddColumns].map(([position, cells]) => ({ position, cells }))
    const csv = Papa.unparse(rows, { newline: LINE_END })
    return [{ name, csv, hiddenRows: this.#hiddenRows, hiddenColumns: this.#hiddenColumns, oddColumns }]
  }
}

/**
 * The tables of a web page that have data, every cell as a text. Rows that the page does not show are among them, and
 * the numbers that a spreadsheet program has stored beside what it shows.
 *
 * @throws Error if it has no table
 */
export function htmlSheets(text: string): WorkbookSheet[] {
  const tables: HtmlTable[] = []
  const open: HtmlTable[] = []
  let isSkipped = false
  const parser = new Parser({
    onopentag(name, attributes) {
      const table = open.at(-1)
      if (name === 'table') {
        const inner = new HtmlTable()
        tables.push(inner)
        open.push(inner)
      } else if (name === 'style' || name === 'script') isSkipped = true
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
  if (tables.length === 0) throw new Error('could not find <table>')
  return tables.flatMap((table, at) => table.sheets(`Sheet${at + 1}`))
}
