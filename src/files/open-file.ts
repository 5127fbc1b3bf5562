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

/** The answers of the person, and those about an earlier file where the person has not answered. */
function withEarlier(reading: Reading, csv: CsvFile): { reading: Reading; saved: SavedAnswers | undefined } {
  const saved = answersFor(reading.memory ?? [], csv)
  if (saved === undefined) return { reading, saved }
  const earlier = earlierReading(saved, csv)
  const own = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined))
  return { reading: { ...earlier, ...own }, saved }
}

/** The rows that need a value of a field only because of another value, and have none. */
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

/** Reads an opened file as the person has answered. @throws Error whose message says why it cannot be used */
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
  // What is large stays with the worker.
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
