import type { CellErrors } from '#files/check/row-check'
import { type EditableRow, WHOLE_ROW } from '#files/fix/editable-rows'
import type { TableColumn } from '#files/fix/table'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel } from '../../wording'
import { valueReason } from './field-hints'
import type { Editing } from './grid-keys'

/** Checks the cells of one row. */
export type CheckCells = (cells: readonly string[]) => CellErrors

export function withCell(cells: readonly string[], column: number, text: string): string[] {
  const changed = cells.slice()
  changed[column] = text
  return changed
}

/** A row with one cell changed, checked by its own rules. */
export function changedRow(row: EditableRow, column: number, text: string, check: CheckCells): EditableRow {
  const cells = withCell(row.cells, column, text)
  return { ...row, cells, errors: check(cells), isEdited: true }
}

/** What is wrong with the cell that is active, as it is typed. */
export function cellMessage(
  type: RecordType,
  row: EditableRow | undefined,
  column: TableColumn | undefined,
  editing: Editing | undefined,
  check: CheckCells,
): string {
  if (row === undefined || column === undefined) return ''
  const shown = editing === undefined ? row : changedRow(row, column.column, editing.text, check)
  const message = shown.errors.get(column.column)
  const place = `Row ${row.row}, ${fieldLabel(column.field ?? column.header)}`
  if (message !== undefined) return `${place}: ${valueReason(fieldNamed(type, column.field), message)}`
  const ofRow = shown.errors.get(WHOLE_ROW)
  if (ofRow !== undefined) return `Row ${row.row}: ${ofRow}`
  return shown.errors.size > 0 ? `${place}: nothing wrong here` : `Row ${row.row}: fixed`
}
