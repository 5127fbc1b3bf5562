import type { RowError } from '#files/check/row-errors'
import type { RecordType } from '#shared/records/record-type'
import type { Table } from './table'

/** A row that can be edited. */
export interface EditableRow {
  /** Position below the header row, from 1. */
  index: number
  /** Row number, as spreadsheet programs show it. */
  row: number
  cells: readonly string[]
  /** The errors, by column position; `WHOLE_ROW` for the whole row. */
  errors: ReadonlyMap<number, string>
  isEdited: boolean
}

/** The position of an error that belongs to no single cell. */
export const WHOLE_ROW = -1

/** The errors of some rows, by row and column position. */
function messagesOf(table: Table, errors: readonly RowError[], indexes: ReadonlySet<number>) {
  const messages = new Map<number, Map<number, string>>()
  for (const { index, field, message } of errors) {
    if (index === null || !indexes.has(index)) continue
    const column = field === null ? WHOLE_ROW : (table.columnOf(field) ?? WHOLE_ROW)
    const text = column === WHOLE_ROW && field !== null ? `${field} ${message}` : message
    messages.set(index, (messages.get(index) ?? new Map()).set(column, text))
  }
  return messages
}

/** Some rows of a table, with their errors. @param indexes their positions below the header row */
export function editableRows(table: Table, errors: readonly RowError[], indexes: readonly number[]): EditableRow[] {
  const wantedIndexes = new Set(indexes)
  const messages = messagesOf(table, errors, wantedIndexes)
  const rows: EditableRow[] = []
  let index = 0
  for (const cells of table.rows()) {
    if (wantedIndexes.has(index)) {
      const isEdited = table.isEdited(index)
      const row = index + table.csv.headerRow
      rows.push({ index, row, cells, errors: messages.get(index) ?? new Map(), isEdited })
    }
    if (rows.length === wantedIndexes.size) break
    index++
  }
  return rows
}

/** The rows with some IDs, and their `is_active` texts; empty if a row has none. */
export function rowsWithIds(
  table: Table,
  { idField }: RecordType,
  ids: readonly string[],
): { index: number; id: string; activity: string }[] {
  const idColumn = table.columnOf(idField) ?? -1
  const column = table.columnOf('is_active') ?? -1
  const idSet = new Set(ids)
  const matches: { index: number; id: string; activity: string }[] = []
  let index = 0
  for (const cells of table.rows()) {
    const id = (cells[idColumn] ?? '').trim()
    if (index > 0 && idSet.has(id)) matches.push({ index, id, activity: (cells[column] ?? '').trim() })
    index++
  }
  return matches
}
