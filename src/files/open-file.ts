import { type CellChoices, cellQuestions, withChoices } from '#files/cells/cell-choices'
import { Table } from '#files/fix/table'
import { type CsvReading, readCsvFile } from '#files/text/csv-file'
import type { TotalsChoice } from '#files/text/totals'
import { isMarkup } from '#files/workbook/markup'
import type { WorkbookSheet } from '#files/workbook/workbook-sheet'
import { isWorkbook } from '#shared/records/csv/file-kind'
import type { RecordType } from '#shared/records/record-type'
import type { ChosenFile } from './chosen-file'

/** A file that somebody chose, opened: the bytes of a CSV file, or the sheets of a workbook. */
export type OpenedFile =
  | { name: string; bytes: Uint8Array }
  | { name: string; sheets: readonly WorkbookSheet[] }

export interface Reading extends Pick<CsvReading, 'mapping' | 'memory' | 'headerAt'> {
  /** Of a workbook: which of its sheets is meant. */
  sheet?: string | undefined
  /** Of a workbook: what is written of cells that hold something else than they show. */
  choices?: CellChoices | undefined
  /** What becomes of rows that add others up. */
  totals?: TotalsChoice | undefined
  /** Whether the person has said that the file is of this type, whatever it looks like. */
  isOfType?: boolean | undefined
}

export interface ReadFile {
  file: ChosenFile
  table: Table
  /** Its text as it was chosen. */
  bytes: Uint8Array
}

/** @throws Error whose message says why the file cannot be used */
export async function openFile(file: File): Promise<OpenedFile> {
  // Read once: the file may change on the disk before it is written to the catalog.
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isWorkbook(bytes) && !isMarkup(bytes)) return { name: file.name, bytes }
  // The library is loaded only then.
  const { readWorkbook } = await import('#files/workbook/read-workbook')
  return { name: file.name, sheets: readWorkbook(bytes) }
}

/** A table, and the file as it is shown. */
function tableFrom(
  bytes: Uint8Array,
  csv: Table['csv'],
  { totals, choices = new Map() }: Reading,
  file: Pick<ChosenFile, 'name' | 'sheet' | 'questions'>,
): ReadFile {
  const passedOver = totals === 'leave out' ? csv.totals.map(({ index }) => index) : []
  const table = new Table(csv, passedOver)
  const { text: _, ...shown } = csv
  const { records } = table
  return { file: { ...file, csv: shown, records, choices, totals, hasRightColumns: false }, table, bytes }
}

/** @throws Error whose message says why it cannot be used */
export function readOpenedFile(opened: OpenedFile, type: RecordType, reading: Reading = {}): ReadFile {
  const { name } = opened
  if ('bytes' in opened) {
    return tableFrom(opened.bytes, readCsvFile(opened.bytes, type, reading), reading, { name, questions: [] })
  }
  const found = opened.sheets.find((one) => one.name === reading.sheet)
  if (found === undefined) throw new Error(`The workbook has no sheet “${reading.sheet}” with data.`)
  const { csv: shown, odd, hiddenColumns: hidden, ...sheet } = found
  const encoder = new TextEncoder()
  const csv = readCsvFile(encoder.encode(shown), type, { ...reading, hidden })
  const questions = cellQuestions(odd, csv)
  const chosen = withChoices(shown, questions, reading.choices ?? new Map())
  const bytes = encoder.encode(chosen)
  const file = { name, sheet, questions }
  return tableFrom(
    bytes,
    chosen === shown ? csv : readCsvFile(bytes, type, { ...reading, hidden }),
    reading,
    file,
  )
}
