import type { CellObject, Range } from '@e965/xlsx'
import { SHEET_ROWS } from '../text-workbook'
import { documentCell } from './document-cells'
import { Paragraphs } from './paragraphs'
import { MOST_CELLS, MOST_COLUMNS } from './sheet-reader'
import type { Attributes, ElementReader } from './xml'

/** Receives the cells of a table in order and, at its end, the other properties. */
interface TableTaker {
  /** @param row from 0 @param column from 0 */
  add(row: number, column: number, cell: CellObject): void
  end(layout: { merges: Range[]; hiddenRows: number[]; hiddenColumns: number[] }): void
}

/** Units of work on a cell, in addition to one per character; also of a blank one before the last one of its row. */
const CELL_UNITS = 10
/** Most work on all tables together. Only a file that repeats a few cells needs more. */
const MOST_UNITS = CELL_UNITS * MOST_CELLS

const repeated = (attributes: Attributes, name: string): number => Math.max(1, Number(attributes[name] ?? 1) || 1)

const isHidden = (attributes: Attributes): boolean => (attributes['table:visibility'] ?? 'visible') !== 'visible'

interface FilledCell {
  column: number
  cell: CellObject
}

/** Reads one table. */
class TableReader {
  readonly #take: TableTaker
  readonly #merges: Range[] = []
  readonly #hiddenColumns: number[] = []
  /** Hidden rows, as ranges whose end is exclusive. A million blank hidden rows may follow the data. */
  readonly #hiddenRows: { from: number; to: number }[] = []
  #columns = 0
  #row = 0
  #rowAttributes: Attributes = {}
  #column = 0
  #cells: FilledCell[] = []
  #characters = 0
  /** Number of rows up to the last one with data. */
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
    this.#characters = 0
  }

  /** @param cell undefined if it is covered by another cell */
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
    this.#characters += (end - c) * (cell.w ?? String(cell.v ?? '')).length
    for (; this.#column < end; this.#column++) this.#cells.push({ column: this.#column, cell })
  }

  /** @returns the work on its cells; if it is too much, no cells were passed on */
  endRow(): number {
    const end = Math.min(this.#row + repeated(this.#rowAttributes, 'table:number-rows-repeated'), SHEET_ROWS)
    if (isHidden(this.#rowAttributes)) this.#hiddenRows.push({ from: this.#row, to: end })
    const width = (this.#cells.at(-1)?.column ?? -1) + 1
    const units = (end - this.#row) * (CELL_UNITS * width + this.#characters)
    if (units > MOST_UNITS) return units
    if (this.#cells.length > 0) this.#rows = end
    for (; this.#cells.length > 0 && this.#row < end; this.#row++)
      for (const { column, cell } of this.#cells) this.#take.add(this.#row, column, cell)
    this.#row = end
    return units
  }

  end(): void {
    const hiddenRows = this.#hiddenRows.flatMap(({ from, to }) =>
      Array.from({ length: Math.max(0, Math.min(to, this.#rows) - from) }, (_, place) => from + place),
    )
    this.#take.end({ merges: this.#merges, hiddenRows, hiddenColumns: this.#hiddenColumns })
  }
}

/**
 * Reads the content of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, 9.1), table by table, and passes on the
 * cells with data one by one.
 */
export class DocumentReader implements ElementReader {
  readonly #begin: (name: string) => TableTaker
  readonly #paragraphs = new Paragraphs()
  /** Styles of hidden tables. */
  readonly #hiddenStyles = new Set<string>()
  #style = ''
  /** Undefined outside a table, and in a hidden table. */
  #table: TableReader | undefined
  /** Nesting depth of tables. Tables that are a cached copy of another document do not belong to a sheet. */
  #depth = 0
  #cell: Attributes | undefined
  #isCovered = false
  #units = 0

  /** @param begin receives the name of each visible table */
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
    this.#units += this.#table?.endRow() ?? 0
    if (this.#units > MOST_UNITS) throw new Error('too many cells')
  }
}
