import type { RowError } from '#files/check/row-errors'
import { encodeText } from '#files/text/encode'
import { LEFT_OUT } from '#files/text/suspect-rows'
import { normalizedHeader } from '#shared/records/csv/header'
import { LINE_END, lineOf } from '#shared/records/csv/write'
import { ERRORS_COLUMN } from '#shared/records/record-type'
import type { Table } from './table'

/** Extensions of text files; any other extension is replaced. */
const TEXT_ENDINGS = ['.csv', '.tsv', '.txt']

/** The text for each row with errors, by its position below the header row. Excluded rows are also marked. */
function rowTexts({ table, errors, onlyFailing }: FaultyFile): Map<number | null, string> {
  const textOf = ({ field, message }: RowError) => (field === null ? message : `${field}: ${message}`)
  const rows = Map.groupBy(errors, ({ index }) => index)
  const texts = new Map([...rows].map(([index, members]) => [index, members.map(textOf).join('; ')]))
  // Rows that are exported to be fixed are not marked as excluded.
  for (const index of onlyFailing ? [] : table.leftOut.keys())
    texts.set(index, [LEFT_OUT, texts.get(index)].filter((text) => text !== undefined).join(': '))
  return texts
}

/** A file to save. */
export interface OutputFile {
  name: string
  content: Blob
}

/** A file to export with its errors. */
interface FaultyFile {
  name: string
  table: Table
  /** The name of the workbook sheet; undefined for a text file. */
  sheet: string | undefined
  errors: readonly RowError[]
  /** Whether to export only rows with errors. */
  onlyFailing: boolean
}

/**
 * The rows of a file, beginning with the header row, with a column of errors after the last header. If the file already
 * has such a column, it is reused.
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
      // Cells beyond the header follow the new column.
      row.splice(place, hasColumn ? 1 : 0, text ?? '')
      yield row
    }
    index++
  }
}

/** Empty lines above the header row keep the row numbers. */
const linesAbove = ({ table, onlyFailing }: FaultyFile): number =>
  onlyFailing ? 0 : Math.max(0, table.csv.headerRow - 1)

/** The lines of a file with its errors. Only the line breaks differ from the original. */
function* linesWithErrors(file: FaultyFile): Generator<string> {
  const { declaresSeparator, separator } = file.table.csv
  if (declaresSeparator) yield `sep=${separator}${LINE_END}`
  yield LINE_END.repeat(linesAbove(file))
  for (const row of rowsWithErrors(file)) yield lineOf(row, separator)
}

/**
 * The same file with a column of errors. Cells and encoding are kept; UTF-8 gets a byte order mark, so that spreadsheet
 * programs show accents. A workbook has one sheet with text cells only.
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
