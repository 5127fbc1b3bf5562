import type { Table } from '#files/fix/table'
import type { FieldError } from '#shared/errors/errors'
import { HeaderNames } from '#shared/records/csv/header'
import { readCellRows } from '#shared/records/csv/read'
import { RecordCheck } from '#shared/records/record-check'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import type { Warning } from '#shared/records/warnings'
import { atOnce } from '#shared/work'

/** Request limits do not apply, because a larger file is sent in parts. */
const NO_LIMITS = { withData: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY }

/**
 * Drops errors about fields without a column: existing records keep their values, and the service reports new records
 * that lack a required value.
 */
function withoutMissing<T extends Pick<RecordSource, 'errors' | 'unreadFields' | 'columns'>>(
  source: T,
  { idField, conditions }: RecordType,
): T {
  const isKept = ({ code, field }: FieldError) => code === 'required' && field !== idField
  const conditional = conditions.flatMap(({ field, rule }) =>
    rule === 'required' && !source.columns?.has(field) ? [field] : [],
  )
  return {
    ...source,
    errors: source.errors.filter((error) => !isKept(error)),
    unreadFields: new Set([...source.unreadFields, ...conditional]),
  }
}

/**
 * Checks all rows of a table by the service's rules, without the limits of a request.
 *
 * @param keepsMissing whether a field may have no column
 */
export function checkTable(
  table: Table,
  type: RecordType,
  keepsMissing: boolean,
): { errors: FieldError[]; warnings: Warning[] } {
  const whole = atOnce(
    readCellRows(() => table.sentRows(), type, new HeaderNames(type), table.csv.separator, NO_LIMITS),
  )
  const source = keepsMissing ? withoutMissing(whole, type) : whole
  const reader = new RecordCheck(type, source)
  const errors = [...source.errors]
  for (const row of source.records) {
    if (row.index === null) continue
    const { result } = reader.check(row)
    if (Array.isArray(result)) errors.push(...result)
  }
  return { errors, warnings: reader.warnings }
}
