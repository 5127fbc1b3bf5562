import { type CsvFile, withRowNumbers } from '#files/text/csv-file'
import type { FieldError } from '#shared/errors/errors'
import { FIELD_ERROR_CODES, type FieldErrorCode } from '#shared/errors/schemas'

/** One failing field of one row, for display. */
export interface RowError {
  /** Row number, as spreadsheet programs show it; null for an error of the whole file. */
  row: number | null
  /** Position of the row below the header row, from 1; null for an error of the whole file. */
  index: number | null
  /** Field name or column header; null for an error of the whole row or file. */
  field: string | null
  code: FieldErrorCode
  message: string
  value: unknown
}

/** Errors of one field with one code, and their values. */
export interface ErrorGroup {
  key: string
  field: string | null
  code: FieldErrorCode
  /** The error that all of these rows have. */
  reason: string
  /** Whether the errors are about the whole file. */
  ofFile: boolean
  errorCount: number
  /** The most frequent values first. */
  values: readonly ErrorValue[]
  /** Number of distinct values that are not in `values`. */
  furtherValues: number
}

/** A value, and the number of rows with it. */
export interface ErrorValue {
  value: string
  rowCount: number
  /** Row number of the first of these rows. */
  firstRow: number | null
}

/** The number of errors and failing rows of a file, and the errors in groups. */
export interface ErrorSummary {
  errorCount: number
  /** Number of rows with errors. */
  rowCount: number
  groups: readonly ErrorGroup[]
}

const VALUES_PER_GROUP = 50

/** Converts the service's errors to the row numbers of the spreadsheet. */
export const rowErrors = (
  errors: readonly FieldError[],
  { headerRow }: Pick<CsvFile, 'headerRow'>,
  offset = 0,
): RowError[] =>
  errors.map(({ index, field, code, msg, value }) => ({
    index: index === null ? null : index + offset,
    row: index === null ? null : index + offset + headerRow,
    field,
    code,
    message: withRowNumbers(msg, headerRow + offset),
    value,
  }))

/** The reason for a group whose messages differ from row to row. It follows the name of the field. */
const REASONS: Partial<Record<FieldErrorCode, string>> = {
  duplicate_id: 'is a duplicate of an earlier row',
  too_long: 'has an item that is too long',
  too_many: 'has too many cells',
  not_allowed: 'has a value that is not allowed',
  required: 'is required',
  malformed: 'has characters or quotes that cannot be read',
}

function reasonOf(errors: readonly RowError[]): string {
  const [{ code, message }] = errors as [RowError]
  const isSame = errors.every((error) => error.message === message)
  return isSame ? message : (REASONS[code] ?? FIELD_ERROR_CODES[code])
}

/** The key of an error's group. It becomes part of element IDs. */
export const groupKey = ({ row, field, code }: RowError): string =>
  `${row === null ? 'file' : 'row'} ${field ?? ''} ${code}`.replace(/[^\p{L}\p{N}]+/gu, '-')

/** The value of an error as it is displayed in the file. */
export const errorValue = ({ value }: RowError): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const errorValues = (errors: readonly RowError[]): ErrorValue[] =>
  [...Map.groupBy(errors, errorValue)]
    .map(([value, members]) => ({ value, rowCount: members.length, firstRow: members[0]!.row }))
    .sort((a, b) => b.rowCount - a.rowCount)

function groupOf(key: string, errors: readonly RowError[]): ErrorGroup {
  const [{ field, code, row }] = errors as [RowError]
  const values = errorValues(errors)
  return {
    key,
    field,
    code,
    reason: reasonOf(errors),
    ofFile: row === null,
    errorCount: errors.length,
    values: values.slice(0, VALUES_PER_GROUP),
    furtherValues: Math.max(0, values.length - VALUES_PER_GROUP),
  }
}

/** Groups errors by field and code, largest group first. Errors of the whole file precede all others. */
export function summaryOf(errors: readonly RowError[]): ErrorSummary {
  const rows = new Set(errors.flatMap(({ index }) => index ?? []))
  return {
    errorCount: errors.length,
    rowCount: rows.size,
    groups: [...Map.groupBy(errors, groupKey)]
      .map(([key, members]) => groupOf(key, members))
      .sort((a, b) => Number(b.ofFile) - Number(a.ofFile) || b.errorCount - a.errorCount),
  }
}
