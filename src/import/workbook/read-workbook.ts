import { read, type WorkBook } from '@e965/xlsx'
import Papa from 'papaparse'
import { asError } from '#errors/as-error'
import { markHidden } from './ods-hidden'
import { type OddColumn, readCells } from './sheet-cells'

export interface WorkbookSheet {
  name: string
  /** Its cells as they are shown, those of hidden rows among them. */
  csv: string
  /** Rows that are hidden, by a filter or by hand. */
  hiddenRows: number
  odd: readonly OddColumn[]
}

function sheetsOf(workbook: WorkBook): WorkbookSheet[] {
  const states = workbook.Workbook?.Sheets ?? []
  return workbook.SheetNames.flatMap((name, place) => {
    const sheet = workbook.Sheets[name]
    if (sheet === undefined || (states[place]?.Hidden ?? 0) !== 0) return []
    const { rows, odd } = readCells(sheet, workbook)
    if (!rows.some((cells) => cells.some((cell) => cell.trim() !== ''))) return []
    const hiddenRows = (sheet['!rows'] ?? []).filter((row) => row?.hidden).length
    return [{ name, csv: Papa.unparse(rows, { newline: '\r\n' }), hiddenRows, odd }]
  })
}

/**
 * Reads a spreadsheet workbook (.xlsx, .xls, .ods).
 *
 * @returns the visible sheets that have data, at least one, each cell as the spreadsheet program shows it
 * @throws Error whose message says why it cannot be read
 */
export function readWorkbook(bytes: Uint8Array): WorkbookSheet[] {
  const sheets = sheetsOf(openWorkbook(bytes))
  if (sheets.length === 0) throw new Error('The workbook has no sheet with data.')
  return sheets
}

function openWorkbook(bytes: Uint8Array): WorkBook {
  try {
    // `dense` takes half the memory; `cellStyles` tells which rows are hidden, `cellNF` which cells are dates; formulas are of
    // no interest.
    const workbook = read(bytes, {
      type: 'array',
      dense: true,
      cellStyles: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
    })
    markHidden(workbook, bytes)
    return workbook
  } catch (error) {
    throw new Error(`The workbook cannot be read: ${asError(error).message}.`)
  }
}
