import type { CellObject, Range } from '@e965/xlsx'
import { SHEET_ROWS } from '../text-workbook'
import { documentCell } from './document-cells'
import { Paragraphs } from './paragraphs'
import { MOST_COLUMNS } from './sheet-reader'
import type { Attributes, ElementReader } from './xml'

/** Gets the cells of a table, in their order, and what else it has when it ends. */
interface TableTaker {
  /** @param row from 0 @param column from 0 */
  add(row: number, column: number, cell: CellObject): void
  end(layout: { merges: Range[]; hiddenRows: number[]; hiddenColumns: number[] }): void
}

/** Cells with data of all tables together: more come only of a few that a file repeats. */
const MOST_CELLS = 20_000_000

const repeated = (attributes: Attributes, name: string): number => Math.max(1, Number(attributes[name] ?? 1) || 1)

const isHidden = (attributes: Attributes): boolean => (attributes['table:visibility'] ?? 'visible') !== 'visible'

interface FilledCell {
  column: number
  cell: CellObject
}

/** One table while it is read. */
class TableReader {
  readonly #take: TableTaker
  readonly #merges: Range[] = []
  readonly #hiddenColumns: number[] = []
  /** Hidden rows, from the first to the one behind the last. A million blank ones may follow the data. */
  readonly #hiddenRows: { from: number; to: number }[] = []
  #columns = 0
  #row = 0
  #rowAttributes: Attributes = {}
  #column = 0
  #cells: FilledCell[] = []
  /** Where the data ends. */
  #rows = 0

  constructor(take: TableTaker) {
    this.#take = take
  }

  addColumns(attributes: Attributes): void {
    const end = Math.min(this.#columns + repeated(attributes, 'table:number-columns-repeated'), MOST_COLUMNS)
    for (; this.#columns < end; this.#columns++) if (isHidden(attributes)) this.#hiddenColumns.push(this.#columns)
  }

  beginRow(attributes: Attributes): void {
    this.#rowAttributes = attributes
    this.#column = 0
    this.#cells = []
  }

  /** @param cell undefined for cells that another one covers */
  addCell(attributes: Attributes, cell: CellObject | undefined): void {
    const end = Math.min(this.#column + repeated(attributes, 'table:number-columns-repeated'), MOST_COLUMNS)
    if (cell === undefined || (cell.t === 'z' && cell.f === undefined)) {
      this.#column = end
      return
    }
    const height = repeated(attributes, 'table:number-rows-spanned')
    const width = repeated(attributes, 'table:number-columns-spanned')
    const [r, c] = [this.#row, this.#column]
    if (height * width > 1) this.#merges.push({ s: { r, c }, e: { r: r + height - 1, c: c + width - 1 } })
    for (; this.#column < end; this.#column++) this.#cells.push({ column: this.#column, cell })
  }

  /** @returns cells that were handed over */
  endRow(): number {
    const end = Math.min(this.#row + repeated(this.#rowAttributes, 'table:number-rows-repeated'), SHEET_ROWS)
    if (isHidden(this.#rowAttributes)) this.#hiddenRows.push({ from: this.#row, to: end })
    const count = (end - this.#row) * this.#cells.length
    if (count > MOST_CELLS) return count
    if (this.#cells.length > 0) this.#rows = end
    for (; this.#cells.length > 0 && this.#row < end; this.#row++)
      for (const { column, cell } of this.#cells) this.#take.add(this.#row, column, cell)
    this.#row = end
    return count
  }

  end(): void {
    const hiddenRows = this.#hiddenRows.flatMap(({ from, to }) =>
      Array.from({ length: Math.max(0, Math.min(to, this.#rows) - from) }, (_, place) => from + place),
    )
    this.#take.end({ merges: this.#merges, hiddenRows, hiddenColumns: this.#hiddenColumns })
  }
}

/**
 * Reads the content of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, 9.1), table by table, and hands over the
 * cells with data one by one.
 */
export class DocumentReader implements ElementReader {
  readonly #begin: (name: string) => TableTaker
  readonly #paragraphs = new Paragraphs()
  /** Styles of tables that are hidden. */
  readonly #hiddenStyles = new Set<string>()
  #style = ''
  /** Undefined outside of a table, and in one that is hidden. */
  #table: TableReader | undefined
  /** How deep tables stand in each other; those that another document keeps a copy of stand in no sheet. */
  #depth = 0
  #cell: Attributes | undefined
  #isCovered = false
  #count = 0

  /** @param begin gets the name of each visible table */
  constructor(begin: (name: string) => TableTaker) {
    this.#begin = begin
  }

  begin = (name: string, attributes: Attributes): void => {
    if (this.#cell !== undefined) this.#paragraphs.begin(name, attributes)
    else if (name === 'style') this.#style = attributes['style:name'] ?? ''
    else if (name === 'table-properties' && attributes['table:display'] === 'false') this.#hiddenStyles.add(this.#style)
    else if (name === 'table' || name === 'dde-links') this.#beginTable(name, attributes)
    else if (this.#depth === 1) this.#beginPart(name, attributes)
  }

  text = (piece: string): void => {
    if (this.#cell !== undefined) this.#paragraphs.text(piece)
  }

  end = (name: string): void => {
    if (this.#cell !== undefined) this.#endWithin(this.#cell, name)
    else if (name === 'table' || name === 'dde-links') this.#endTable()
    else if (this.#depth === 1 && name === 'table-row') this.#endRow()
  }

  #beginTable(name: string, attributes: Attributes): void {
    this.#depth++
    const isShown = name === 'table' && !this.#hiddenStyles.has(attributes['table:style-name'] ?? '')
    if (this.#depth === 1 && isShown) this.#table = new TableReader(this.#begin(attributes['table:name'] ?? ''))
  }

  #endTable(): void {
    this.#depth--
    if (this.#depth > 0) return
    this.#table?.end()
    this.#table = undefined
  }

  #beginPart(name: string, attributes: Attributes): void {
    if (name === 'table-column') this.#table?.addColumns(attributes)
    else if (name === 'table-row') this.#table?.beginRow(attributes)
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = attributes
      this.#isCovered = name === 'covered-table-cell'
    }
  }

  #endWithin(cell: Attributes, name: string): void {
    if (name !== 'table-cell' && name !== 'covered-table-cell') {
      this.#paragraphs.end(name)
      return
    }
    const shown = this.#paragraphs.take()
    this.#table?.addCell(cell, this.#isCovered ? undefined : documentCell(cell, shown))
    this.#cell = undefined
  }

  #endRow(): void {
    this.#count += this.#table?.endRow() ?? 0
    if (this.#count > MOST_CELLS) throw new Error('too many repeated cells')
  }
}
