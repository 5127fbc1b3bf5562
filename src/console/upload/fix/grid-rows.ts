import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import Papa from 'papaparse'
import type { ErrorChoice } from '#files/check/error-choice'
import type { CellErrors } from '#files/check/row-check'
import { type EditableRow, WHOLE_ROW } from '#files/fix/editable-rows'
import type { TableColumn } from '#files/fix/table'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldLabel } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { valueReason } from './field-hints'

/** A cell, by its positions among the shown rows and columns. */
export interface CellPosition {
  row: number
  column: number
}

export interface CellText extends CellPosition {
  text: string
}

/** Splits a text that a spreadsheet program put on the clipboard into cells, starting at a given cell. */
export function pastedCells({ row, column }: CellPosition, text: string): CellText[] {
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' })
  return data.flatMap((line, below) =>
    line.map((cell, behind) => ({ row: row + below, column: column + behind, text: cell })),
  )
}

const keyOf = ({ file }: UploadProcess, question: QueryKey): QueryKey => [
  'file',
  file?.name,
  file?.size,
  file?.lastModified,
  ...question,
]

/** The worker's answer about the file, or the previous answer until it arrives. @param question query key */
export const useAnswer = <Answer>(upload: UploadProcess, question: QueryKey, ask: () => Promise<Answer>) =>
  useQuery({
    queryKey: keyOf(upload, question),
    queryFn: ask,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }).data

/** The positions of the rows with the selected errors, found once per `gridVersion`: a fixed row stays in place. */
export const useFailingRows = (upload: UploadProcess, choice: ErrorChoice, gridVersion: number) =>
  useAnswer(upload, ['failing', choice, gridVersion], async () => upload.work.failing(choice))

/** All columns, loaded once per `gridVersion`, because a change of many rows may add a column. */
export const useColumns = (upload: UploadProcess, gridVersion: number) =>
  useAnswer(upload, ['columns', gridVersion], async () => upload.work.columns())

/**
 * The visible rows, by position, loaded from the worker as they scroll into view.
 *
 * @param version of the rows; a new version reloads them
 */
export function useVisibleRows(upload: UploadProcess, indexes: readonly number[], version: number) {
  const queries = useQueryClient()
  const question = ['rows', indexes, version]
  const rows = useAnswer<ReadonlyMap<number, EditableRow>>(
    upload,
    question,
    async () => new Map((await upload.work.rows(indexes)).map((row) => [row.index, row])),
  )
  /** Shows changed rows until the worker returns them. */
  const show = (changed: ReadonlyMap<number, EditableRow>) => queries.setQueryData(keyOf(upload, question), changed)
  return { rows, show }
}

/** Checks the cells of one row. */
type CheckCells = (cells: readonly string[]) => CellErrors

/** A row with one changed cell, checked by the row's rules. */
export function changedRow(row: EditableRow, column: number, text: string, check: CheckCells): EditableRow {
  const cells = row.cells.slice()
  cells[column] = text
  return { ...row, cells, errors: check(cells), isEdited: true }
}

/** The error of a cell. */
export function cellMessage(type: RecordType, row: EditableRow, { column, field, header }: TableColumn): string {
  const message = row.errors.get(column)
  const cellName = `Row ${row.row}, ${fieldLabel(field ?? header)}`
  if (message !== undefined) return `${cellName}: ${valueReason(fieldNamed(type, field), message)}`
  const ofRow = row.errors.get(WHOLE_ROW)
  if (ofRow !== undefined) return `Row ${row.row}: ${ofRow}`
  return row.errors.size > 0 ? `${cellName}: nothing wrong here` : `Row ${row.row}: fixed`
}
