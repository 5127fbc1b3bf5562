import { ApiError, type FieldError } from '#errors'
import { readCsv } from '#records/csv/read'
import { RecordReader } from '#records/reader'
import type { RecordType } from '#records/record-type'

/** The errors of the `ApiError` that `run` throws. */
export function errorsOf(run: () => unknown): { status: number; message: string; errors: FieldError[] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      status: error.status,
      message: error.message,
      errors: (error.details.errors ?? []) as FieldError[],
    }
  }
  throw new Error('nothing was refused')
}

/** The errors of a file as a whole whose rows can be read. */
export const fileErrors = (text: string, type: RecordType, maxRows?: number): FieldError[] =>
  readCsv(text, type, maxRows).errors

/** All errors of a file, as a write reports them. */
export function allErrors(text: string, type: RecordType): FieldError[] {
  const { rows, warnings, errors, unread } = readCsv(text, type)
  const reader = new RecordReader(type, { format: 'csv', warnings, errors, unread, records: rows })
  return [...reader.read()].flatMap((checked) => (Array.isArray(checked) ? checked : []))
}
