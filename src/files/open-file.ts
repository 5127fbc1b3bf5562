import { cellQuestions, writtenCells } from '#files/cells/cell-questions'
import { Table } from '#files/fix/table'
import { readCsvFile } from '#files/text/csv-file'
import type { WorkbookSheet } from '#files/workbook/workbook-sheet'
import { isMarkup, isWorkbook } from '#shared/records/csv/file-kind'
import type { RecordType } from '#shared/records/record-type'
import type { FileSummary, Reading } from './file-summary'

/** A file that somebody chose, opened: the bytes of a CSV file, or the sheets of a workbook. */
export type OpenedFile =
  | { name: string; bytes: Uint8Array<ArrayBuffer> }
  | { name: string; sheets: readonly WorkbookSheet[] }

/** A file that was read: what there is to show of it, and its rows. */
export interface ReadFile {
  file: FileSummary
  table: Table
  /** The bytes of its text as it was chosen. */
  bytes: Uint8Array<ArrayBuffer>
}

/** Opens a file, and reads the sheets of a workbook. @throws Error whose message says why it cannot be used */
export async function openFile(file: File): Promise<OpenedFile> {
  // Read once: the file may change on the disk before it is written to the catalog.
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isWorkbook(bytes) && !isMarkup(bytes)) return { name: file.name, bytes }
  // The library is loaded only then.
  const { readWorkbook } = await import('#files/workbook/read-workbook')
  return { name: file.name, sheets: readWorkbook(bytes) }
}

/** The sheet that is meant; undefined for a file of text. */
function sheetIn(opened: OpenedFile, name: string | undefined): WorkbookSheet | undefined {
  if ('bytes' in opened) return undefined
  const sheet = opened.sheets.find((one) => one.name === name)
  if (sheet === undefined) throw new Error(`The workbook has no sheet “${name}” with data.`)
  return sheet
}

/** Reads an opened file as the person has answered. @throws Error whose message says why it cannot be used */
export function readOpenedFile(opened: OpenedFile, type: RecordType, reading: Reading = {}): ReadFile {
  const sheet = sheetIn(opened, reading.sheet)
  const bytes = 'bytes' in opened ? opened.bytes : new TextEncoder().encode(sheet?.csv)
  const { encoding, ...otherAnswers } = reading
  const csv = readCsvFile(bytes, type, {
    ...otherAnswers,
    hidden: sheet?.hiddenColumns,
    hiddenRows: sheet?.hiddenRows,
    ...(sheet === undefined && { encoding }),
  })
  const { choices = new Map(), fills = new Map(), totals, hiddenRows, isHeaderRight = false } = reading
  const doubts = cellQuestions(csv, sheet?.oddColumns)
  const skippedRows = new Set([
    ...(totals === 'leave out' ? csv.totals.map(({ index }) => index) : []),
    ...(hiddenRows === 'leave out' ? csv.hiddenRows : []),
  ])
  const table = new Table(csv, skippedRows, writtenCells(doubts, choices, csv), fills)
  // What is large stays with the worker.
  const { text: _, doubts: __, hiddenRows: ___, ...shown } = csv
  const file: FileSummary = {
    name: opened.name,
    csv: shown,
    records: table.records,
    ...(sheet !== undefined && { sheet: sheet.name }),
    hiddenRows: csv.hiddenRows.length,
    questions: doubts.map(({ cells: ____, ...question }) => question),
    answers: { choices, fills, totals, hiddenRows, isHeaderRight, encoding },
    hasRightColumns: reading.hasRightColumns === true,
  }
  return { file, table, bytes }
}
