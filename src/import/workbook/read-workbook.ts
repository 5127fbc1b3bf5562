import { type ParsingOptions, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import Papa from 'papaparse'
import { isMarkup, markupText } from './markup'
import { markHidden } from './ods-hidden'
import { type OddColumn, readCells } from './sheet-cells'
import { workbookFault } from './workbook-fault'

export interface WorkbookSheet {
  name: string
  /** Its cells as they are shown, those of hidden rows and columns among them. */
  csv: string
  /** Rows that are hidden, by a filter or by hand. */
  hiddenRows: number
  /** Positions of the hidden columns. */
  hiddenColumns: readonly number[]
  odd: readonly OddColumn[]
}

const hiddenColumnsOf = (sheet: WorkSheet): number[] =>
  [...(sheet['!cols'] ?? []).entries()].flatMap(([position, column]) => (column?.hidden ? [position] : []))

function sheetsOf(workbook: WorkBook): WorkbookSheet[] {
  const states = workbook.Workbook?.Sheets ?? []
  return workbook.SheetNames.flatMap((name, place) => {
    const sheet = workbook.Sheets[name]
    if (sheet === undefined || (states[place]?.Hidden ?? 0) !== 0) return []
    const { rows, odd } = readCells(sheet, workbook)
    if (!rows.some((cells) => cells.some((cell) => cell.trim() !== ''))) return []
    const hiddenRows = (sheet['!rows'] ?? []).filter((row) => row?.hidden).length
    const hiddenColumns = hiddenColumnsOf(sheet)
    return [{ name, csv: Papa.unparse(rows, { newline: '\r\n' }), hiddenRows, hiddenColumns, odd }]
  })
}

/**
 * Reads a spreadsheet workbook (.xlsx, .xls, .ods, .fods), or tables in HTML or XML.
 *
 * @returns the visible sheets that have data, at least one, each cell as the spreadsheet program shows it
 * @throws Error whose message says why it cannot be read
 */
export function readWorkbook(bytes: Uint8Array): WorkbookSheet[] {
  const sheets = sheetsOf(openWorkbook(bytes))
  if (sheets.length === 0) throw new Error('The workbook has no visible sheet with data.')
  return sheets
}

/**
 * `dense` takes half the memory; `cellStyles` tells what is hidden, `cellNF` which cells are dates, `cellFormula` which
 * cells have a formula whose value is missing.
 */
const OPTIONS: ParsingOptions = {
  dense: true,
  cellStyles: true,
  cellNF: true,
  cellFormula: true,
  cellHTML: false,
}

function openWorkbook(bytes: Uint8Array): WorkBook {
  try {
    const workbook = isMarkup(bytes)
      ? // Every cell of HTML is a text: nothing is made a number or a date.
        read(markupText(bytes), { ...OPTIONS, type: 'string', raw: true })
      : read(bytes, { ...OPTIONS, type: 'array' })
    markHidden(workbook, bytes)
    return workbook
  } catch (error) {
    throw workbookFault(bytes, error)
  }
}
