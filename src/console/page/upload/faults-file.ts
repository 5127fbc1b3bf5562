import Papa from 'papaparse'
import { splitRows } from '../../../catalog/csv/rows'
import { BYTE_ORDER_MARK } from '../../../catalog/csv/write'
import type { ChosenFile } from './chosen-file'
import type { Fault } from './faults'
import type { CsvFile } from './read-file'
import { writeWorkbook } from './workbook'

/** The column that is added. The service passes over it, so that the file can be uploaded again when it is mended. */
const COLUMN = '_errors'

const LINE_END = '\r\n'

/** What is wrong with each row that has faults, by its place below the header row. */
function textsOf(faults: readonly Fault[]): Map<number, string> {
  const texts = new Map<number, string>()
  for (const { index, field, message } of faults) {
    if (index === null) continue
    const text = field === null ? message : `${field}: ${message}`
    const known = texts.get(index)
    texts.set(index, known === undefined ? text : `${known}; ${text}`)
  }
  return texts
}

/**
 * The rows of a file, the header row first, with a last column that says what is wrong with each; where the file has such
 * a column from an earlier time, it is replaced.
 */
function* rowsWithFaults({ text, separator, headerStart, header }: CsvFile, faults: readonly Fault[]) {
  const texts = textsOf(faults)
  const earlier = header.indexOf(COLUMN)
  const place = earlier === -1 ? header.length : earlier
  let index = 0
  for (const cells of splitRows(text, { separator, headerStart })) {
    const row: string[] = Array.from({ length: Math.max(place, cells.length) }, (_, i) => cells[i] ?? '')
    const said = index === 0 ? COLUMN : (texts.get(index) ?? '')
    // A row may have more cells than the header; they stay where they are, behind the new column.
    if (earlier === -1) row.splice(place, 0, said)
    else row[place] = said
    yield row
    index++
  }
}

/**
 * The same file with a column that says what is wrong with each row: in the format that it had, cells as they were.
 * UTF-8 with a byte order mark, so that spreadsheet programs show accents; a workbook has all cells as text.
 */
export async function fileWithFaults(
  file: ChosenFile,
  faults: readonly Fault[],
): Promise<{ name: string; content: Blob }> {
  const { csv, workbook } = file
  const rows = rowsWithFaults(csv, faults)
  const base = file.name.replace(/\.[^.]*$/, '')
  if (workbook !== undefined) {
    // Blank lines above the header row stay, so that the row numbers are the same.
    const above = Array.from({ length: csv.headerRow - 1 }, () => [])
    return { name: `${base}-errors.xlsx`, content: await writeWorkbook([...above, ...rows], workbook.sheet) }
  }
  const parts: string[] = [BYTE_ORDER_MARK, LINE_END.repeat(csv.headerRow - 1)]
  for (const row of rows) {
    parts.push(Papa.unparse([row], { delimiter: csv.separator, newline: LINE_END }), LINE_END)
  }
  return { name: `${base}-errors.csv`, content: new Blob(parts, { type: 'text/csv' }) }
}
