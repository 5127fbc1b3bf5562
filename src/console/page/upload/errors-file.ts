import { normalizedHeader } from '#records/csv/header'
import { LINE_END, lineOf } from '#records/csv/write'
import { ERRORS_COLUMN } from '#records/record-type'
import type { ChosenFile } from './chosen-file'
import { encodeText } from './encode'
import { type CsvFile, rowsOf } from './read-file'
import type { RowError } from './row-errors'
import { writeWorkbook } from './workbook'

/** Endings of a file of text; another one is replaced. */
const TEXT_ENDINGS = ['.csv', '.tsv', '.txt']

/** What is wrong with each row that has errors, by its place below the header row. */
function textsOf(errors: readonly RowError[]): Map<number, string> {
  const texts = new Map<number, string>()
  for (const { index, field, message } of errors) {
    if (index === null) continue
    const text = field === null ? message : `${field}: ${message}`
    const known = texts.get(index)
    texts.set(index, known === undefined ? text : `${known}; ${text}`)
  }
  return texts
}

/**
 * The rows of a file, the header row first, with a column behind the last header that says what is wrong with each; where
 * the file has such a column from an earlier time, it is that one.
 */
function* rowsWithErrors(csv: CsvFile, errors: readonly RowError[]): Generator<string[]> {
  const { header } = csv
  const texts = textsOf(errors)
  const earlier = header.findIndex((name) => normalizedHeader(name) === ERRORS_COLUMN)
  const place = earlier === -1 ? header.length : earlier
  let index = 0
  for (const cells of rowsOf(csv)) {
    const row = Array.from({ length: Math.max(place, cells.length) }, (_, i) => cells[i] ?? '')
    const said = index === 0 ? ERRORS_COLUMN : (texts.get(index) ?? '')
    // A row may have more cells than the header: they go on behind the new column.
    row.splice(place, earlier === -1 ? 0 : 1, said)
    yield row
    index++
  }
}

/** The text of a file with its errors: as it was written, but for the line ends. */
function* linesWithErrors(csv: CsvFile, errors: readonly RowError[]): Generator<string> {
  if (csv.declaresSeparator) yield `sep=${csv.separator}${LINE_END}`
  // The rows keep their numbers.
  yield LINE_END.repeat(csv.headerRow - 1)
  for (const row of rowsWithErrors(csv, errors)) yield lineOf(row, csv.separator)
}

/**
 * The same file with a column that says what is wrong with each row, cells and encoding as they were; UTF-8 has a byte
 * order mark, so that spreadsheet programs show accents. A workbook has one sheet, all of its cells text.
 */
export async function fileWithErrors(
  { name, csv, sheet }: ChosenFile,
  errors: readonly RowError[],
): Promise<{ name: string; content: Blob }> {
  const base = name.replace(/\.[^.]*$/, '')
  if (sheet !== undefined) {
    const above = Array.from({ length: csv.headerRow - 1 }, () => [])
    const content = await writeWorkbook([...above, ...rowsWithErrors(csv, errors)], sheet.name)
    return { name: `${base}-errors.xlsx`, content }
  }
  const ending = TEXT_ENDINGS.find((known) => name.toLowerCase().endsWith(known)) ?? TEXT_ENDINGS[0]
  const bytes = encodeText([...linesWithErrors(csv, errors)].join(''), csv.encoding)
  return { name: `${base}-errors${ending}`, content: new Blob([bytes], { type: 'text/csv' }) }
}
