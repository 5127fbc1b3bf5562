import { isMarkup, markupText } from '#shared/records/csv/file-kind'
import { htmlSheets, isWebPage } from './html-tables'
import { librarySheets } from './library-workbook'
import { documentSheets } from './streamed/document-sheets'
import { streamedSheets } from './streamed/streamed-sheets'
import { workbookFault } from './workbook-fault'
import type { WorkbookSheet } from './workbook-sheet'
import { UnusualFile } from './zip'

/** Reads an .xlsx workbook as a stream; undefined for other, unusual or damaged files. */
function readStreamed(bytes: Uint8Array): WorkbookSheet[] | undefined {
  try {
    return streamedSheets(bytes)
  } catch (error) {
    if (!(error instanceof UnusualFile)) throw workbookFault(bytes, error)
    // The library reads it, or reports what is wrong with it.
    return undefined
  }
}

/** Reads the tables of a web page; undefined for any other file. */
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
 * Reads a workbook (.xlsx, .xls, .ods, .fods), or tables in HTML or XML.
 *
 * @returns the visible sheets with data, at least one, each cell as spreadsheet programs show it
 * @throws Error with the reason, if it cannot be read
 */
export function readWorkbook(bytes: Uint8Array): WorkbookSheet[] {
  const sheets = readWebPage(bytes) ?? documentSheets(bytes) ?? readStreamed(bytes) ?? librarySheets(bytes)
  if (sheets.length === 0) throw new Error('The workbook has no visible sheet with data.')
  return sheets
}
