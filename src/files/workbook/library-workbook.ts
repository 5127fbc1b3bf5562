import { type ParsingOptions, read, type WorkBook } from '@e965/xlsx'
import Papa from 'papaparse'
import { isMarkup, isZip, markupText } from '#shared/records/csv/file-kind'
import { withLongNumbers, withLongNumbersIn } from './library-numbers'
import { readCells } from './sheet-cells'
import { workbookFault } from './workbook-fault'
import { visibleSheets, type WorkbookSheet } from './workbook-sheet'
import { withoutCompression } from './zip'

/**
 * `dense` uses half the memory. `cellStyles` is needed to detect hidden rows and columns, `cellNF` to detect dates, and
 * `cellFormula` to detect formulas without a value.
 */
export const LIBRARY_OPTIONS: ParsingOptions = {
  dense: true,
  cellStyles: true,
  cellNF: true,
  cellFormula: true,
  cellHTML: false,
}

function sheetsOf(workbook: WorkBook): WorkbookSheet[] {
  return visibleSheets(workbook).flatMap(({ name, sheet, hiddenColumns }) => {
    const { rows, oddColumns } = readCells(sheet, workbook)
    if (!rows.some((cells) => cells.some((cell) => cell.trim() !== ''))) return []
    const places = [...(sheet['!rows'] ?? []).entries()]
    const hiddenRows = places.flatMap(([place, row]) => (row?.hidden ? [place] : []))
    return [{ name, csv: Papa.unparse(rows, { newline: '\r\n' }), hiddenRows, hiddenColumns, oddColumns }]
  })
}

function openWorkbook(bytes: Uint8Array): WorkBook {
  try {
    const readable = isZip(bytes) ? withoutCompression(bytes, withLongNumbersIn) : bytes
    return isMarkup(bytes)
      ? read(withLongNumbers(markupText(bytes)), { ...LIBRARY_OPTIONS, type: 'string', raw: true })
      : read(readable, { ...LIBRARY_OPTIONS, type: 'array' })
  } catch (error) {
    throw workbookFault(bytes, error)
  }
}

/** Reads the visible sheets with data by the library. @throws Error with the reason, if that fails */
export const librarySheets = (bytes: Uint8Array): WorkbookSheet[] => sheetsOf(openWorkbook(bytes))
