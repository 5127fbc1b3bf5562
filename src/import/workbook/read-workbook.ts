import { librarySheets } from './library-workbook'
import { streamedSheets } from './streamed/streamed-sheets'
import type { WorkbookSheet } from './workbook-sheet'

/**
 * Reads a spreadsheet workbook (.xlsx, .xls, .ods, .fods), or tables in HTML or XML.
 *
 * @returns the visible sheets that have data, at least one, each cell as the spreadsheet program shows it
 * @throws Error whose message says why it cannot be read
 */
export async function readWorkbook(bytes: Uint8Array): Promise<WorkbookSheet[]> {
  // For what is not read in a stream, or cannot be read at all, the library decides.
  const streamed = await streamedSheets(bytes).catch(() => undefined)
  const sheets = streamed ?? librarySheets(bytes)
  if (sheets.length === 0) throw new Error('The workbook has no visible sheet with data.')
  return sheets
}
