import { isMarkup, markupText } from '#shared/records/csv/file-kind'
import { htmlSheets, isWebPage } from './html-tables'
import { librarySheets } from './library-workbook'
import { documentSheets } from './streamed/document-sheets'
import { streamedSheets } from './streamed/streamed-sheets'
import { workbookFault } from './workbook-fault'
import type { WorkbookSheet } from './workbook-sheet'
import { UnusualFile } from './zip'

/** Reads an .xlsx workbook in a stream; undefined for another kind, an unusual one, and a damaged one. */
function readStreamed(bytes: Uint8Array): WorkbookSheet[] | undefined {
  try {
    return streamedSheets(bytes)
  } catch (error) {
    if (!(error instanceof UnusualFile)) throw error
    // The library reads it, or says what is wrong with it.
    return undefined
  }
}

/** Reads the tables of a web page; undefined for another file. */
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
  const sheets = readWebPage(bytes) ?? documentSheets(bytes) ?? readStreamed(bytes) ?? librarySheets(bytes)
  if (sheets.length === 0) throw new Error('The workbook has no visible sheet with data.')
  return sheets
}
