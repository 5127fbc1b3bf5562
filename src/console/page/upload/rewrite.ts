import Papa from 'papaparse'
import { LINE_END } from '#records/csv/write'
import { ERRORS_COLUMN } from '#records/record-type'
import { type CsvFile, rowsOf } from './read-file'

/** Whether a file has to be sent in another form than it has. */
export const needsRewriting = ({ titleRows, header, sentHeader }: CsvFile): boolean =>
  titleRows > 0 || sentHeader.some((name, position) => name !== header[position])

/** A file as the service takes it: from its header row on, which names the fields, without the columns that are left out. */
export function rewritten(csv: CsvFile): string {
  const { header, sentHeader } = csv
  const kept = sentHeader.flatMap((name, position) =>
    name === ERRORS_COLUMN && header[position] !== name ? [] : [position],
  )
  const rows: string[][] = []
  for (const cells of rowsOf(csv)) {
    // A row may have more cells than the header: the service says so.
    const others = cells.slice(sentHeader.length)
    const named = rows.length === 0 ? sentHeader : cells
    rows.push([...kept.map((position) => named[position] ?? ''), ...others])
  }
  return Papa.unparse(rows, { newline: LINE_END })
}
