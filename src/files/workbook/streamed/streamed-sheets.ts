import type { WorkbookSheet } from '../workbook-sheet'
import { unpack } from '../zip'
import { SheetCollector } from './sheet-collector'
import { SheetReader } from './sheet-reader'
import { cellMaker } from './streamed-cells'
import { openStreamed } from './streamed-workbook'
import { xmlTaker } from './xml'

/**
 * The visible sheets with data of a workbook (.xlsx), read row by row, in a fraction of the library's time and memory.
 *
 * @throws Error for any other file, and for a file with an unusual structure
 */
export function streamedSheets(bytes: Uint8Array): WorkbookSheet[] {
  const { sheets, context } = openStreamed(bytes)
  const cellOf = cellMaker(context)
  const sheetsByPath = new Map(
    [...sheets].map(([path, name]) => {
      const collector = new SheetCollector(name, context.date1904)
      const reader = new SheetReader((row, column, cell) => collector.add(row, column, cellOf(cell)))
      return [path, { collector, reader }]
    }),
  )
  unpack(bytes, (path) => {
    const sheet = sheetsByPath.get(path)
    return sheet && xmlTaker(sheet.reader)
  })
  return [...sheetsByPath.values()].flatMap(({ collector, reader }) => collector.sheets(reader))
}
