import { type CsvFile, withRowNumbers } from '#files/text/csv-file'
import type { FieldError } from '#shared/errors/errors'
import { FIELD_ERROR_CODES, type FieldErrorCode } from '#shared/errors/schemas'

/** One failing field of one row, as it is shown. */
export interface RowError {
  /** Number of the row as the spreadsheet program shows it; null for an error of the file as a whole. */
  row: number | null
  /** Place of the row below the header row, from 1; null for an error of the file as a whole. */
  index: number | null
  /** Name of the field, or header of a column; null for an error of the whole row or file. */
  field: string | null
  code: FieldErrorCode
  message: string
  value: unknown
}

/** Errors of one field with one code, and the values that have them. */
export interface ErrorGroup {
  key: string
  field: string | null
  code: FieldErrorCode
  /** What is wrong in all of these rows. */
  reason: string
  /** Whether the errors are about the file as a whole. */
  ofFile: boolean
  errorCount: number
  /** The most frequent values first. */
  values: readonly ErrorValue[]
  /** Different values that are not among `values`. */
  furtherValues: number
}

/** A value, and how many rows have it. */
export interface ErrorValue {
  value: string
  rowCount: number
  /** Number of the first of these rows. */
  firstRow: number | null
}

/** How many errors a file has, in how many rows, and what they have in common. */
export interface ErrorSummary {
  errorCount: number
  /** Rows with errors. */
  rowCount: number
  groups: readonly ErrorGroup[]
}

const VALUES_PER_GROUP = 50

/** Errors of the service with the row numbers of the spreadsheet. */
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

/** What is wrong with a group whose messages differ from row to row. Read after the name of the field. */
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

/** The key of the group that an error belongs to. It becomes part of the ids of elements. */
export const groupKey = ({ row, field, code }: RowError): string =>
  `${row === null ? 'file' : 'row'} ${field ?? ''} ${code}`.replace(/[^\p{L}\p{N}]+/gu, '-')

/** The value of an error as a person sees it in the file. */
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

/** Groups errors by field and code, the largest group first; those of the whole file come before all others. */
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
