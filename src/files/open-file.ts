import { cellQuestions, withNames, writtenCells } from '#files/cells/cell-questions'
import { type Fills, fillersOf, needOf } from '#files/columns/fills'
import { Table } from '#files/fix/table'
import { type CsvFile, readCsvFile } from '#files/text/csv-file'
import type { WorkbookSheet } from '#files/workbook/workbook-sheet'
import { isMarkup, isWorkbook } from '#shared/records/csv/file-kind'
import type { RecordType } from '#shared/records/record-type'
import { isBlank } from '#shared/text/characters'
import type { FileSummary, NeededField, Reading, SavedAnswers } from './file-summary'
import { answersFor, earlierChoices, earlierReading } from './saved-answers'

/** An opened file: the bytes of a CSV file, or the sheets of a workbook. */
export type OpenedFile =
  | { name: string; bytes: Uint8Array<ArrayBuffer> }
  | { name: string; sheets: readonly WorkbookSheet[] }

/** A file that was read: its summary and its rows. */
export interface ReadFile {
  file: FileSummary
  table: Table
  /** The original bytes of its text. */
  bytes: Uint8Array<ArrayBuffer>
}

/** Opens a file, and reads the sheets of a workbook. @throws Error with the reason, if it cannot be used */
export async function openFile(file: File): Promise<OpenedFile> {
  // Read only once, because the file may change on disk before it is sent.
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isWorkbook(bytes) && !isMarkup(bytes)) return { name: file.name, bytes }
  // The library is only loaded for workbooks.
  const { readWorkbook } = await import('#files/workbook/read-workbook')
  return { name: file.name, sheets: readWorkbook(bytes) }
}

/** The sheet to read; undefined for a text file. */
function sheetIn(opened: OpenedFile, name: string | undefined): WorkbookSheet | undefined {
  if ('bytes' in opened) return undefined
  const sheet = opened.sheets.find((one) => one.name === name)
  if (sheet === undefined) throw new Error(`The workbook has no sheet “${name}” with data.`)
  return sheet
}

/** The user's answers, completed by the answers about an earlier file. */
function withEarlier(reading: Reading, csv: CsvFile): { reading: Reading; saved: SavedAnswers | undefined } {
  const saved = answersFor(reading.memory ?? [], csv)
  if (saved === undefined) return { reading, saved }
  const earlier = earlierReading(saved, csv)
  const own = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined))
  return { reading: { ...earlier, ...own }, saved }
}

/** The rows without a value of a field that is required because of another field's value. */
function neededRows(table: Table, type: RecordType, fills: Fills): NeededField[] {
  const { columns } = table.csv
  const conditions = type.conditions.filter(({ rule }) => rule === 'required')
  const needs = conditions.map((condition) => ({ condition, isNeeded: needOf(condition.field, type, columns, fills) }))
  const counts = needs.map(() => 0)
  let index = 0
  for (const cells of needs.length === 0 ? [] : table.rows()) {
    const hasData = index++ > 0 && !cells.every(isBlank)
    for (const [at, { condition, isNeeded }] of hasData ? needs.entries() : [])
      if (isNeeded(cells) && isBlank(cells[table.columnOf(condition.field) ?? -1] ?? '')) counts[at]! += 1
  }
  return needs.flatMap(({ condition: { field, when } }, at) => {
    const rows = counts[at] ?? 0
    return rows === 0 ? [] : [{ field, when, rows }]
  })
}

/** Reads an opened file with the user's answers. @throws Error with the reason, if it cannot be used */
export function readOpenedFile(opened: OpenedFile, type: RecordType, asked: Reading = {}): ReadFile {
  const sheet = sheetIn(opened, asked.sheet)
  const bytes = 'bytes' in opened ? opened.bytes : new TextEncoder().encode(sheet?.csv)
  const readAs = ({ encoding, ...answers }: Reading): CsvFile =>
    readCsvFile(bytes, type, {
      ...answers,
      hidden: sheet?.hiddenColumns,
      hiddenRows: sheet?.hiddenRows,
      ...(sheet === undefined && { encoding }),
    })
  const first = readAs(asked)
  const { reading, saved } = withEarlier(asked, first)
  const isOtherEncoding = reading.encoding !== asked.encoding && first.encodingSamples.length > 0
  const csv = isOtherEncoding || reading.idDigits !== asked.idDigits ? readAs(reading) : first
  const { fills = new Map(), totals, hiddenRows, encoding, isHeaderRight = false, isOfType, idDigits } = reading
  const doubts = cellQuestions(csv, sheet?.oddColumns)
  const choices = new Map([
    ...(saved === undefined ? [] : earlierChoices(saved, doubts, csv)),
    ...(asked.choices ?? []),
  ])
  const skippedRows = new Set([
    ...csv.excludedRows,
    ...(totals === 'leave out' ? csv.totals.map(({ index }) => index) : []),
    ...(hiddenRows === 'leave out' ? csv.hiddenRows : []),
  ])
  const table = new Table(csv, skippedRows, writtenCells(doubts, choices, csv), fillersOf(fills, type, csv.columns))
  // Large properties stay in the worker.
  const { text: _, doubts: __, hiddenRows: ___, excludedRows: ____, ...shown } = csv
  const file: FileSummary = {
    name: opened.name,
    csv: shown,
    records: table.records,
    ...(sheet !== undefined && { sheet: sheet.name }),
    hiddenRows: csv.hiddenRows.length,
    excludedRows: csv.excludedRows.length,
    needed: neededRows(table, type, fills),
    questions: withNames(
      doubts.map(({ cells: _____, ...question }) => question),
      (indexes) => table.textsOf('name', indexes),
    ),
    answers: { choices, fills, totals, hiddenRows, isHeaderRight, encoding, isOfType, idDigits },
    hasRightColumns: reading.hasRightColumns === true,
    isAsBefore: saved !== undefined,
  }
  return { file, table, bytes }
}
