import type { WrittenCells } from '#files/cells/cell-questions'
import type { RowError } from '#files/check/row-errors'
import { type Conversion, conversionsOf } from '#files/columns/conversions'
import type { Filler } from '#files/columns/fills'
import { type CsvFile, rowsOf } from '#files/text/csv-file'
import type { Cells } from '#shared/records/csv/rows'
import { ERRORS_COLUMN } from '#shared/records/record-type'

/** Cells made from another row's cells, with that row's faults. @param positionOf null for a cell that is dropped */
function withFaultsOf(row: Cells, cells: string[], positionOf: (position: number) => number | null): Cells {
  const faults = row.faults?.flatMap(({ position, kind }) => {
    const newPosition = positionOf(position)
    return newPosition === null ? [] : [{ position: newPosition, kind }]
  })
  return faults === undefined || faults.length === 0 ? cells : Object.assign(cells, { faults })
}

/** A column for a field that the file lacks. */
interface AddedColumn {
  field: string
  /** The value of a row without an edited value. */
  textIn: (cells: Cells) => string
}

export interface CellEdit {
  /** Position of the row below the header row, from 1. */
  index: number
  /** Position of the column: first the file's columns, then added columns. */
  column: number
  text: string
}

export interface TableColumn {
  column: number
  header: string
  /** Name of the mapped field; undefined if the column is ignored. */
  field: string | undefined
}

type Undo = () => void

/** The position of a cell in the sent row; null if it is not sent. @param width number of cells in the header row */
function placeInRow(sentPositions: readonly number[], position: number, width: number): number | null {
  if (position >= width) return position - width + sentPositions.length
  const place = sentPositions.indexOf(position)
  return place === -1 ? null : place
}

/** The rows of a file with the user's changes. The file itself is unchanged. */
export class Table {
  readonly csv: CsvFile
  readonly #addedColumns: AddedColumn[] = []
  /** Columns whose empty cells are filled. */
  readonly #completed: { position: number; textIn: Filler['textIn'] }[] = []
  readonly #cells = new Map<number, Map<number, string>>()
  readonly #leftOut = new Map<number, readonly RowError[]>()
  readonly #conversions: readonly Conversion[]
  /** Rows that are not records, such as totals. */
  readonly #skippedRows: ReadonlySet<number>
  /** The user's texts for ambiguous cells. */
  readonly #writtenCells: WrittenCells

  /**
   * @param skippedRows positions of rows that are not records, which are made blank
   * @param writtenCells texts that replace cells of the file
   * @param fillers values for fields with an empty cell or without a column
   */
  constructor(
    csv: CsvFile,
    skippedRows: Iterable<number> = [],
    writtenCells: WrittenCells = new Map(),
    fillers: readonly Filler[] = [],
  ) {
    this.csv = csv
    for (const { field, position, textIn } of fillers) {
      if (position === undefined) this.#addedColumns.push({ field, textIn })
      else this.#completed.push({ position, textIn })
    }
    this.#conversions = conversionsOf(csv)
    this.#skippedRows = new Set(skippedRows)
    this.#writtenCells = writtenCells
  }

  get isChanged(): boolean {
    const isConverted = this.#conversions.length > 0 || this.#skippedRows.size > 0 || this.#writtenCells.size > 0
    const isFilled = this.#addedColumns.length > 0 || this.#completed.length > 0
    return isConverted || isFilled || this.#cells.size > 0 || this.#leftOut.size > 0
  }

  /** Number of rows with data that are records. */
  get records(): number {
    return this.csv.rows - this.#skippedRows.size
  }

  /** The positions of excluded rows, with their errors. */
  get leftOut(): ReadonlyMap<number, readonly RowError[]> {
    return this.#leftOut
  }

  isEdited(index: number): boolean {
    return this.#cells.has(index)
  }

  /** All columns: first those that are read. */
  get columns(): TableColumn[] {
    const { header, columns } = this.csv
    const fields = new Map(columns.map(({ position, field }) => [position, field.name]))
    const ofFile = header.map((name, column) => ({ column, header: name, field: fields.get(column) }))
    const addedColumns = this.#addedColumns.map(({ field }, k) => ({ column: header.length + k, header: field, field }))
    const all = [...ofFile, ...addedColumns]
    return [...all.filter(({ field }) => field !== undefined), ...all.filter(({ field }) => !field)]
  }

  columnOf(field: string): number | undefined {
    return this.columns.find((column) => column.field === field)?.column
  }

  /**
   * The header row of an exported file, which must be read again in the same way: if a column's values are converted,
   * or if the file has no header row, the header is the name of the field.
   */
  #headerNames(header: Cells): string[] {
    const { sentHeader, hasHeader } = this.csv
    const convertedColumns = new Set(this.#conversions.map(({ position }) => position))
    return header.map((name, position) =>
      hasHeader && !convertedColumns.has(position) ? name : (sentHeader[position] ?? name),
    )
  }

  /**
   * Every row, beginning with the header row: the cells of the file, of added columns, then cells beyond the header.
   */
  *rows(): Generator<Cells> {
    const width = this.csv.header.length
    let index = 0
    for (const fileCells of rowsOf(this.csv)) {
      const edits = this.#cells.get(index)
      if (index === 0) yield [...this.#headerNames(fileCells), ...this.#addedColumns.map(({ field }) => field)]
      else {
        const cells = this.#skippedRows.has(index) ? [''] : this.#convert(this.#withWrittenCells(fileCells, index))
        const isAsRead = this.#addedColumns.length === 0 && this.#completed.length === 0 && edits === undefined
        yield isAsRead ? cells : this.#withEdits(cells, width, edits)
      }
      index++
    }
  }

  /** The values of a field in some rows, by row position; none if it has no column. */
  textsOf(field: string, indexes: ReadonlySet<number>): Map<number, string> {
    const column = this.columnOf(field)
    if (column === undefined || indexes.size === 0) return new Map()
    return new Map(this.cellsOf(column, indexes).map(({ index, text }) => [index, text.trim()]))
  }

  /** The cells of a column in some rows. @param indexes row positions */
  cellsOf(column: number, indexes: ReadonlySet<number>): CellEdit[] {
    const matches: CellEdit[] = []
    let index = 0
    for (const cells of this.rows()) {
      if (indexes.has(index)) matches.push({ index, column, text: cells[column] ?? '' })
      index++
    }
    return matches
  }

  #withWrittenCells(cells: Cells, index: number): Cells {
    const texts = this.#writtenCells.get(index)
    if (texts === undefined) return cells
    const row: string[] = [...cells]
    for (const [position, text] of texts) {
      while (row.length < position) row.push('')
      row[position] = text
    }
    return withFaultsOf(cells, row, (position) => (texts.has(position) ? null : position))
  }

  #convert(cells: Cells): Cells {
    if (this.#conversions.length === 0) return cells
    const row = [...cells]
    for (const { position, convert } of this.#conversions) {
      const text = row[position]
      if (text !== undefined) row[position] = convert(text, cells)
    }
    return withFaultsOf(cells, row, (position) => position)
  }

  /** The values of a field as they are sent; none if it has no column. */
  *valuesOf(field: string): Generator<string> {
    const column = this.columnOf(field)
    if (column === undefined) return
    let index = 0
    for (const cells of this.rows()) {
      if (index > 0 && !this.leftOut.has(index)) yield (cells[column] ?? '').trim()
      index++
    }
  }

  #withEdits(cells: Cells, width: number, edits: ReadonlyMap<number, string> | undefined): Cells {
    const own = Array.from({ length: width }, (_, i) => cells[i] ?? '')
    // A blank row stays blank, and is skipped.
    const isBlank = cells.every((cell) => cell.trim() === '')
    const addedValues = this.#addedColumns.map(({ textIn }) => (isBlank ? '' : textIn(cells)))
    for (const { position, textIn } of isBlank ? [] : this.#completed)
      if ((own[position] ?? '').trim() === '') own[position] = textIn(cells)
    const row = [...own, ...addedValues, ...cells.slice(width)]
    for (const [column, text] of edits ?? []) row[column] = text
    // An edited cell has no fault.
    return withFaultsOf(cells, row, (position) => {
      const place = position < width ? position : position + addedValues.length
      return edits?.has(place) ? null : place
    })
  }

  /**
   * The rows to send. The header row contains field names. Columns that the user ignores are removed. An excluded row
   * is blank, so that the others keep their numbers.
   *
   * @param compact whether to remove columns that the service would ignore, too
   */
  *sentRows(compact = false): Generator<Cells> {
    const { header, sentHeader, columns } = this.csv
    const readPositions = new Set(columns.map(({ position }) => position))
    const isKept = (name: string, position: number) =>
      compact ? readPositions.has(position) : name !== ERRORS_COLUMN || header[position] === name
    const positions = sentHeader.flatMap((name, position) => (isKept(name, position) ? [position] : []))
    const width = header.length
    const names = [...sentHeader, ...this.#addedColumns.map(({ field }) => field)]
    const all = [...positions, ...this.#addedColumns.map((_, k) => width + k)]
    const isWhole = all.length === names.length
    let index = 0
    for (const cells of this.rows()) {
      if (this.#leftOut.has(index)) yield ['']
      else if (index === 0) yield all.map((column) => names[column]!)
      else if (isWhole) yield cells
      else {
        const sentCells = [...all.map((column) => cells[column] ?? ''), ...cells.slice(names.length)]
        yield withFaultsOf(cells, sentCells, (position) => placeInRow(all, position, names.length))
      }
      index++
    }
  }

  /**
   * Sets a field in some rows. If the table has no column for it, adds one.
   *
   * @param others the value of the other rows in a new column
   */
  setField(field: string, rows: readonly number[], text: string, others = ''): Undo {
    const existing = this.columnOf(field)
    const added: AddedColumn = { field, textIn: () => others }
    const column = existing ?? this.csv.header.length + this.#addedColumns.push(added) - 1
    const undoEdits = this.edit(rows.map((index) => ({ index, column, text })))
    return () => {
      undoEdits()
      if (existing === undefined) this.#addedColumns.splice(this.#addedColumns.indexOf(added), 1)
    }
  }

  /** Changes cells. */
  edit(edits: Iterable<CellEdit>): Undo {
    const before = new Map<number, Map<number, string> | undefined>()
    for (const { index, column, text } of edits) {
      const cells = this.#cells.get(index)
      if (!before.has(index)) before.set(index, cells && new Map(cells))
      if (cells) cells.set(column, text)
      else this.#cells.set(index, new Map([[column, text]]))
    }
    return () => {
      for (const [index, cells] of before) {
        if (cells) this.#cells.set(index, cells)
        else this.#cells.delete(index)
      }
    }
  }

  /** Excludes rows. @param rows their positions and errors */
  leaveOut(rows: readonly (readonly [number, readonly RowError[]])[]): Undo {
    const newRows = rows.filter(([index]) => !this.#leftOut.has(index))
    for (const [index, errors] of newRows) this.#leftOut.set(index, errors)
    return () => {
      for (const [index] of newRows) this.#leftOut.delete(index)
    }
  }

  /** Copies the changes from the same rows before they were read again, without added columns. */
  takeChangesOf(earlier: Table): void {
    const width = this.csv.header.length
    for (const [index, cells] of earlier.#cells) {
      const own = [...cells].filter(([column]) => column < width)
      if (own.length > 0) this.#cells.set(index, new Map(own))
    }
    for (const [index, errors] of earlier.#leftOut) this.#leftOut.set(index, errors)
  }

  /** Restores all excluded rows. */
  takeBackRows(): void {
    this.#leftOut.clear()
  }
}
