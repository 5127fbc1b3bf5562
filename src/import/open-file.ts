import { type CellChoices, cellQuestions, withChoices } from '#import/cells/cell-choices'
import type { Mapping } from '#import/columns/columns'
import { Table } from '#import/fix/table'
import { readCsvFile } from '#import/text/csv-file'
import type { WorkbookSheet } from '#import/workbook/read-workbook'
import { isWorkbook } from '#records/csv/file-kind'
import type { RecordType } from '#records/record-type'
import type { ChosenFile } from './chosen-file'

/** A file that somebody chose, opened: the bytes of a CSV file, or the sheets of a workbook. */
export type OpenedFile =
  | { name: string; bytes: Uint8Array }
  | { name: string; sheets: readonly WorkbookSheet[] }

export interface Reading {
  /** Of a workbook: which of its sheets is meant. */
  sheet?: string | undefined
  /** Where the person wants columns to go. */
  mapping?: Mapping
  /** Of a workbook: what is written of cells that hold something else than they show. */
  choices?: CellChoices
  /** Whether the person has said that the file is of this type, whatever it looks like. */
  isOfType?: boolean
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
  if (!isWorkbook(bytes)) return { name: file.name, bytes }
  // The library is loaded only then.
  const { readWorkbook } = await import('#import/workbook/read-workbook')
  return { name: file.name, sheets: readWorkbook(bytes) }
}

const summary = (table: Table): ChosenFile['csv'] => {
  const { text: _, ...csv } = table.csv
  return csv
}

/** @throws Error whose message says why it cannot be used */
export function readOpenedFile(opened: OpenedFile, type: RecordType, reading: Reading = {}): ReadFile {
  const { mapping = {}, choices = new Map() } = reading
  const { name } = opened
  if ('bytes' in opened) {
    const { bytes } = opened
    const table = new Table(readCsvFile(bytes, type, mapping))
    return { file: { name, csv: summary(table), questions: [], choices }, table, bytes }
  }
  const found = opened.sheets.find((one) => one.name === reading.sheet)
  if (found === undefined) throw new Error(`The workbook has no sheet “${reading.sheet}” with data.`)
  const { csv: shown, odd, ...sheet } = found
  const encoder = new TextEncoder()
  const csv = readCsvFile(encoder.encode(shown), type, mapping)
  const questions = cellQuestions(odd, csv)
  const chosen = withChoices(shown, questions, choices)
  const bytes = encoder.encode(chosen)
  const table = new Table(chosen === shown ? csv : readCsvFile(bytes, type, mapping))
  return { file: { name, csv: summary(table), sheet, questions, choices }, table, bytes }
}
