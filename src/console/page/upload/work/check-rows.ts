import type { FieldError } from '#errors'
import { HeaderNames } from '#records/csv/header'
import { readCells } from '#records/csv/read'
import { RecordReader } from '#records/reader'
import type { RecordType } from '#records/record-type'
import type { Table } from './table'

/** All errors of a table by the rules of the service, however many rows it has. */
export function checkRows(table: Table, type: RecordType): FieldError[] {
  const { rows, ...document } = readCells(
    () => table.sentRows(),
    type,
    new HeaderNames(type),
    Number.POSITIVE_INFINITY,
  )
  const reader = new RecordReader(type, { format: 'csv', records: rows, ...document })
  const errors: FieldError[] = []
  for (const found of reader.read()) if (Array.isArray(found)) errors.push(...found)
  return errors
}
