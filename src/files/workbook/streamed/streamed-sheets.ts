import Papa from 'papaparse'
import { ROWS_AT_ONCE } from '#files/parts'
import { splitRows } from '#shared/records/csv/rows'
import { LINE_END } from '#shared/records/csv/write'
import { utf8Encoder } from '#shared/text/utf8'
import { CellReader } from '../sheet-cells'
import type { WorkbookSheet } from '../workbook-sheet'
import { unpack } from '../zip'
import { SheetReader } from './sheet-reader'
import { cellMaker } from './streamed-cells'
import { type CellContext, openStreamed } from './streamed-workbook'
import { xmlTaker } from './xml'

/** Writes rows as CSV. What is written is bytes: texts would hold on to the XML that they are pieces of. */
class SheetText {
  readonly #chunks: Uint8Array[] = []
  #rows: string[][] = []
  #count = 0
  #hasData = false

  get hasData(): boolean {
    return this.#hasData
  }

  /** Sets a cell of the last row or of one below it; all between are blank. @param row from 0 @param column from 0 */
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

/** A sheet that is read. */
class StreamedSheet {
  readonly #name: string
  readonly #text = new SheetText()
  readonly #cells: CellReader
  readonly reader: SheetReader

  constructor(name: string, context: CellContext) {
    this.#name = name
    this.#cells = new CellReader(context.date1904)
    const cellOf = cellMaker(context)
    this.reader = new SheetReader((row, column, cell) =>
      this.#text.set(row, column, this.#cells.read(cellOf(cell), row, column)),
    )
  }

  /** What was read; nothing if it has no data. */
  result(): WorkbookSheet[] {
    if (!this.#text.hasData) return []
    const { hiddenRows, hiddenColumns, merges } = this.reader
    const csv = this.#text.text()
    const tall = merges.filter(({ s: first, e: last }) => last.r > first.r)
    const rows = tall.length === 0 ? [] : [...splitRows(csv, { separator: ',', headerStart: 0 })]
    return [{ name: this.#name, csv, hiddenRows, hiddenColumns, oddColumns: this.#cells.oddColumns(tall, rows) }]
  }
}

/**
 * The visible sheets of a workbook (.xlsx) that have data, read row by row: in a fraction of the time and of the memory
 * that the library needs.
 *
 * @throws Error for any other file, and for one that is written in an unusual way
 */
export function streamedSheets(bytes: Uint8Array): WorkbookSheet[] {
  const { sheets, context } = openStreamed(bytes)
  const sheetsByPath = new Map([...sheets].map(([path, name]) => [path, new StreamedSheet(name, context)]))
  unpack(bytes, (path) => {
    const sheet = sheetsByPath.get(path)
    return sheet && xmlTaker(sheet.reader)
  })
  return [...sheetsByPath.values()].flatMap((sheet) => sheet.result())
}
