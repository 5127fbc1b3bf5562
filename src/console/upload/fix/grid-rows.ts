import { useCallback, useEffect, useState } from 'react'
import type { ErrorChoice } from '#files/check/error-choice'
import type { CellErrors } from '#files/check/row-check'
import { type EditableRow, WHOLE_ROW } from '#files/fix/editable-rows'
import type { TableColumn } from '#files/fix/table'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import type { Editing } from './cell-editing'
import { valueReason } from './field-hints'

const NO_ROWS = new Uint32Array()
const NO_COLUMNS: readonly TableColumn[] = []

/** The answer of the worker, for which `ask` is async; the earlier one until it comes. @param reasons to ask again */
export function useAnswer<Answer>(ask: () => Promise<Answer>, first: Answer, reasons: readonly unknown[]) {
  const [answer, setAnswer] = useState(first)
  useEffect(() => {
    let isLast = true
    ask().then(
      (next) => isLast && setAnswer(next),
      // The file has been replaced. This page, which follows a moment later, may have been shown once more.
      () => undefined,
    )
    return () => {
      isLast = false
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller knows them
  }, reasons)
  return [answer, setAnswer] as const
}

/**
 * The places of the rows with some errors, found once for each `gridVersion`: a row that is fixed stays where it is.
 */
export function useFailingRows(upload: UploadProcess, { group, text }: ErrorChoice, gridVersion: number): Uint32Array {
  const ask = async () => upload.work.failing({ group, text })
  return useAnswer<Uint32Array>(ask, NO_ROWS, [upload.file, group, text, gridVersion])[0]
}

/** All columns, asked for once for each `gridVersion`: a change of many rows may add one. */
export const useColumns = (upload: UploadProcess, gridVersion: number): readonly TableColumn[] =>
  useAnswer(async () => upload.work.columns(), NO_COLUMNS, [upload.file, gridVersion])[0]

/**
 * The rows that are in sight, by their places, fetched from the worker as they come into sight.
 *
 * @param version of the rows; another one fetches them again
 */
export function useVisibleRows(upload: UploadProcess, indexes: readonly number[], version: number) {
  const ask = async () => new Map((await upload.work.rows(indexes)).map((row) => [row.index, row]))
  const reasons = [upload.file, indexes.join(), version]
  const [rows, setRows] = useAnswer<ReadonlyMap<number, EditableRow>>(ask, new Map(), reasons)
  /** Shows a row as it is being changed. */
  const replace = useCallback((row: EditableRow) => setRows((known) => new Map(known).set(row.index, row)), [setRows])
  return { rows, replace }
}

/** Checks the cells of one row. */
export type CheckCells = (cells: readonly string[]) => CellErrors

export function withCell(cells: readonly string[], column: number, text: string): string[] {
  const newCells = cells.slice()
  newCells[column] = text
  return newCells
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
  const currentRow = editing === undefined ? row : changedRow(row, column.column, editing.text, check)
  const message = currentRow.errors.get(column.column)
  const cellName = `Row ${row.row}, ${fieldLabel(column.field ?? column.header)}`
  if (message !== undefined) return `${cellName}: ${valueReason(fieldNamed(type, column.field), message)}`
  const ofRow = currentRow.errors.get(WHOLE_ROW)
  if (ofRow !== undefined) return `Row ${row.row}: ${ofRow}`
  return currentRow.errors.size > 0 ? `${cellName}: nothing wrong here` : `Row ${row.row}: fixed`
}
