import { htmlSheets, isWebPage } from './html-tables'
import { librarySheets } from './library-workbook'
import { isMarkup, markupText } from './markup'
import { streamedSheets } from './streamed/streamed-sheets'
import { workbookFault } from './workbook-fault'
import type { WorkbookSheet } from './workbook-sheet'
import { UnusualFile } from './zip'

/** Undefined for a workbook of another kind, for one that is written in an unusual way, and for one that is damaged. */
function readStreamed(bytes: Uint8Array): WorkbookSheet[] | undefined {
  try {
    return streamedSheets(bytes)
  } catch (error) {
    if (!(error instanceof UnusualFile)) throw error
    // The library reads it, or says what is wrong with it.
    return undefined
  }
}

/** Undefined for a file that is no web page. */
function readWebPage(bytes: Uint8Array): WorkbookSheet[] | undefined {
  if (!isMarkup(bytes)) return undefined
  const text = markupText(bytes)
  if (!isWebPage(text)) return undefined
  try {
    return htmlSheets(text)
  } catch (error) {
    throw workbookFault(bytes, error)
  }
}

/**
 * Reads a spreadsheet workbook (.xlsx, .xls, .ods, .fods), or tables in HTML or XML.
 *
 * @returns the visible sheets that have data, at least one, each cell as the spreadsheet program shows it
 * @throws Error whose message says why it cannot be read
 */
export function readWorkbook(bytes: Uint8Array): WorkbookSheet[] {
  const sheets = readWebPage(bytes) ?? readStreamed(bytes) ?? librarySheets(bytes)
  if (sheets.length === 0) throw new Error('The workbook has no visible sheet with data.')
  return sheets
}
