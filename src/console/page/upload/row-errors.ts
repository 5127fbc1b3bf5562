import { FIELD_ERROR_CODES, type FieldError, type FieldErrorCode } from '#errors'
import type { CsvFile } from './read-file'
import { withRowNumbers } from './row-numbers'

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

/** Errors of one field with one code. */
export interface ErrorGroup {
  key: string
  field: string | null
  /** What is wrong with all of them. */
  reason: string
  errors: readonly RowError[]
}

/** The errors that the service names, with the row numbers of the spreadsheet. */
export const rowErrors = (errors: readonly FieldError[], { headerRow }: CsvFile): RowError[] =>
  errors.map(({ index, field, code, msg, value }) => ({
    index,
    row: index === null ? null : index + headerRow,
    field,
    code,
    message: withRowNumbers(msg, headerRow),
    value,
  }))

/** What is wrong with a group whose messages differ from row to row. Read after the name of the field. */
const REASONS: Partial<Record<FieldErrorCode, string>> = {
  duplicate_id: 'occurs already in an earlier row',
  too_long: 'has an item that is too long',
  too_many: 'has too many cells',
  not_allowed: 'has a value that is not allowed',
  required: 'is required',
}

function reasonOf(errors: readonly RowError[]): string {
  const [{ code, message }] = errors as [RowError]
  const isSame = errors.every((error) => error.message === message)
  return isSame ? message : (REASONS[code] ?? FIELD_ERROR_CODES[code])
}

/** Groups errors by field and code, the largest group first; those of the whole file come before all others. */
export function groupErrors(errors: readonly RowError[]): ErrorGroup[] {
  const groups = new Map<string, RowError[]>()
  for (const error of errors) {
    const { row, field, code } = error
    // Becomes part of the ids of elements.
    const key = `${row === null ? 'file' : 'row'} ${field ?? ''} ${code}`.replace(/[^\p{L}\p{N}]+/gu, '-')
    const group = groups.get(key)
    if (group) group.push(error)
    else groups.set(key, [error])
  }
  const ofFile = ({ errors: [first] }: ErrorGroup) => (first?.row === null ? 0 : 1)
  return [...groups]
    .map(([key, grouped]) => ({ key, field: grouped[0]!.field, reason: reasonOf(grouped), errors: grouped }))
    .sort((a, b) => ofFile(a) - ofFile(b) || b.errors.length - a.errors.length)
}
