import type { FieldError } from '#errors/errors'
import type { Table } from '#import/fix/table'
import { atOnce, PAUSE } from '#json/steps'
import { HeaderNames } from '#records/csv/header'
import { readCellRows } from '#records/csv/read'
import { RecordReader } from '#records/reader'
import type { RecordType } from '#records/record-type'

/** A file with more rows than one request takes is sent in parts. */
const NO_LIMITS = { withData: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY }

interface TableCheck {
  errors: FieldError[]
  /** Of the rows that are valid. */
  ids: string[]
}

/** Checks all rows of a table by the rules of the service, however many there are. */
export function checkTable(table: Table, type: RecordType): TableCheck {
  const { rows, ...document } = atOnce(
    readCellRows(() => table.sentRows(), type, new HeaderNames(type), table.csv.separator, NO_LIMITS),
  )
  const reader = new RecordReader(type, { format: 'csv', records: rows, ...document })
  const check: TableCheck = { errors: [], ids: [] }
  for (const found of reader.read()) {
    if (Array.isArray(found)) check.errors.push(...found)
    else if (found !== PAUSE) check.ids.push(found.id)
  }
  return check
}
