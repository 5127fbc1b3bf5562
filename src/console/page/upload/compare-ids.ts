import { splitRows } from '#records/csv/rows'
import { type SimilarId, similarIds } from './similar-ids'
import type { Table } from './work/table'

/** The ids in a file that are written; none where it has no column for them. */
export function* idsOfTable(table: Table, idField: string): Generator<string> {
  const position = table.columnOf(idField)
  if (position === undefined) return
  let index = 0
  for (const cells of table.rows()) {
    if (index > 0 && !table.leftOut.has(index)) yield (cells[position] ?? '').trim()
    index++
  }
}

/** The ids of a catalog from its export, whose first column they are. */
function idsOfExport(csv: string): Set<string> {
  const ids = new Set<string>()
  const rows = splitRows(csv, { separator: ',', headerStart: 0 })
  rows.next()
  for (const [id = ''] of rows) if (id !== '') ids.add(id)
  return ids
}

/** Compares the ids of a file with all of the catalog. @param csv its export, inactive records included */
export const compareIds = (table: Table, idField: string, csv: string): SimilarId[] =>
  similarIds(idsOfTable(table, idField), idsOfExport(csv))
