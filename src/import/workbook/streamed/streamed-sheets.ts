import { type Range, utils } from '@e965/xlsx'
import Papa from 'papaparse'
import { ROWS_AT_ONCE } from '#import/parts'
import { splitRows } from '#records/csv/rows'
import { LINE_END } from '#records/csv/write'
import { CellReader } from '../sheet-cells'
import type { WorkbookSheet } from '../workbook-sheet'
import { RowScanner } from './row-scanner'
import { passRows } from './sheet-text'
import { cellMaker } from './streamed-cells'
import { type CellContext, openStreamed, type StreamedSheet } from './streamed-workbook'
import { partText } from './zip-parts'

/** Writes rows as CSV. What is written is bytes: texts would hold on to the XML that they are pieces of. */
class SheetText {
  readonly #written: Blob[] = []
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

  async text(): Promise<string> {
    this.#write()
    return new Blob(this.#written).text()
  }

  #addRow(): void {
    if (this.#rows.length === ROWS_AT_ONCE) this.#write()
    this.#rows.push([])
    this.#count++
  }

  #write(): void {
    const text = Papa.unparse(this.#rows, { newline: LINE_END })
    this.#written.push(new Blob(this.#written.length === 0 ? [text] : [LINE_END, text]))
    this.#rows = []
  }
}

const MERGED = /<mergeCell ref="([A-Z0-9:]+)"/g

/** Cells over several rows. @param below what stands below the rows of a sheet */
const tallMerges = (below: string): Range[] =>
  [...below.matchAll(MERGED)]
    .map(([, range = '']) => utils.decode_range(range))
    .filter(({ s: first, e: last }) => last.r > first.r)

async function readSheet(
  { name, hiddenColumns, part }: StreamedSheet,
  context: CellContext,
): Promise<WorkbookSheet[]> {
  const reader = new CellReader(context.date1904)
  const text = new SheetText()
  const cellOf = cellMaker(context)
  const scanner = new RowScanner((row, column, cell) => {
    text.set(row, column, reader.read(cellOf(cell), row, column))
  })
  const below = await passRows(partText(part), (rows) => scanner.scan(rows))
  if (!text.hasData) return []
  const csv = await text.text()
  const merges = tallMerges(below)
  const rows = merges.length === 0 ? [] : [...splitRows(csv, { separator: ',', headerStart: 0 })]
  return [{ name, csv, hiddenRows: scanner.hiddenRows, hiddenColumns, odd: reader.odd(merges, rows) }]
}

/**
 * The visible sheets of a workbook (.xlsx) that have data, read row by row: in a fraction of the time and of the memory
 * that the library needs.
 *
 * @throws Error for any other file, and for one that is written in an unusual way
 */
export async function streamedSheets(bytes: Uint8Array): Promise<WorkbookSheet[]> {
  const { sheets, context } = await openStreamed(bytes)
  const read: WorkbookSheet[] = []
  for (const sheet of sheets) read.push(...(await readSheet(sheet, context)))
  return read
}
