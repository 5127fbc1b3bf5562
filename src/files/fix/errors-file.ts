import type { RowError } from '#files/check/row-errors'
import { encodeText } from '#files/text/encode'
import { LEFT_OUT } from '#files/text/suspect-rows'
import { normalizedHeader } from '#shared/records/csv/header'
import { LINE_END, lineOf } from '#shared/records/csv/write'
import { ERRORS_COLUMN } from '#shared/records/record-type'
import type { Table } from './table'

/** Endings of a file of text; another one is replaced. */
const TEXT_ENDINGS = ['.csv', '.tsv', '.txt']

/** What is wrong with each row that has errors, by its place below the header row; which rows are left out, too. */
function rowTexts({ table, errors, onlyFailing }: FaultyFile): Map<number | null, string> {
  const textOf = ({ field, message }: RowError) => (field === null ? message : `${field}: ${message}`)
  const rows = Map.groupBy(errors, ({ index }) => index)
  const texts = new Map([...rows].map(([index, members]) => [index, members.map(textOf).join('; ')]))
  // Of rows that are given back to be fixed, none stays out.
  for (const index of onlyFailing ? [] : table.leftOut.keys())
    texts.set(index, [LEFT_OUT, texts.get(index)].filter((text) => text !== undefined).join(': '))
  return texts
}

/** A file for a person to keep. */
export interface OutputFile {
  name: string
  content: Blob
}

/** A file to give back with its errors. */
interface FaultyFile {
  name: string
  table: Table
  /** The name of the sheet of a workbook; undefined for a file of text. */
  sheet: string | undefined
  errors: readonly RowError[]
  /** Whether only rows with errors are given back. */
  onlyFailing: boolean
}

/**
 * The rows of a file, the header row first, with a column behind the last header that says what is wrong with each. If
 * the file already has such a column, it is filled instead.
 */
function* rowsWithErrors(file: FaultyFile): Generator<string[]> {
  const { table, onlyFailing } = file
  const texts = rowTexts(file)
  let place = 0
  let hasColumn = false
  let index = 0
  for (const cells of table.rows()) {
    if (index === 0) {
      const errorsPosition = cells.findIndex((name) => normalizedHeader(name) === ERRORS_COLUMN)
      hasColumn = errorsPosition !== -1
      place = hasColumn ? errorsPosition : cells.length
    }
    const text = index === 0 ? ERRORS_COLUMN : texts.get(index)
    if (text !== undefined || !onlyFailing) {
      const row = Array.from({ length: Math.max(place, cells.length) }, (_, i) => cells[i] ?? '')
      // A row may have more cells than the header: they go on behind the new column.
      row.splice(place, hasColumn ? 1 : 0, text ?? '')
      yield row
    }
    index++
  }
}

/** Empty lines above the header row: the rows keep their numbers. */
const linesAbove = ({ table, onlyFailing }: FaultyFile): number =>
  onlyFailing ? 0 : Math.max(0, table.csv.headerRow - 1)

/** The lines of a file with its errors. All but the line ends is as in the original. */
function* linesWithErrors(file: FaultyFile): Generator<string> {
  const { declaresSeparator, separator } = file.table.csv
  if (declaresSeparator) yield `sep=${separator}${LINE_END}`
  yield LINE_END.repeat(linesAbove(file))
  for (const row of rowsWithErrors(file)) yield lineOf(row, separator)
}

/**
 * The same file with a column that says what is wrong with each row, cells and encoding as they were; UTF-8 has a byte
 * order mark, so that spreadsheet programs show accents. A workbook has one sheet, all of its cells text.
 */
export async function fileWithErrors(file: FaultyFile): Promise<OutputFile> {
  const { name, sheet, onlyFailing } = file
  const base = `${name.replace(/\.[^.]*$/, '')}-${onlyFailing ? 'rows-to-fix' : 'errors'}`
  if (sheet !== undefined) {
    const blankRows = Array.from({ length: linesAbove(file) }, () => [])
    const { textWorkbook } = await import('#files/workbook/text-workbook')
    const content = textWorkbook([{ name: sheet, rows: [...blankRows, ...rowsWithErrors(file)] }])
    return { name: `${base}.xlsx`, content }
  }
  const ending = TEXT_ENDINGS.find((one) => name.toLowerCase().endsWith(one)) ?? TEXT_ENDINGS[0]
  const bytes = encodeText([...linesWithErrors(file)].join(''), file.table.csv.encoding)
  return { name: `${base}${ending}`, content: new Blob([bytes], { type: 'text/csv' }) }
}
