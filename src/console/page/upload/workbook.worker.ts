import { read, type WorkBook } from '@e965/xlsx'
import Papa from 'papaparse'
import { textWorkbook } from '../workbook/text-workbook'
import { markHidden } from './ods-hidden'
import { readCells } from './sheet-cells'
import type { WorkbookAnswer, WorkbookRequest, WorkbookSheet } from './workbook'

/** Sheets with data, those that are hidden left out. */
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

function answerTo(request: WorkbookRequest): WorkbookAnswer {
  try {
    if ('rows' in request) return { content: textWorkbook([{ name: request.sheet, rows: request.rows }]) }
    // `dense` takes half the memory; `cellStyles` tells which rows are hidden, `cellNF` which cells are dates; formulas are of
    // no interest.
    const workbook = read(request.bytes, {
      type: 'array',
      dense: true,
      cellStyles: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
    })
    markHidden(workbook, request.bytes)
    return { sheets: sheetsOf(workbook) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

self.onmessage = ({ data }: MessageEvent<WorkbookRequest>) => self.postMessage(answerTo(data))
