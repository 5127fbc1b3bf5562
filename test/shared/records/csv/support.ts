import { ApiError, type FieldError } from '#shared/errors/errors'
import { atOnce, PAUSE, type Pause } from '#shared/json/steps'
import { MAX_CSV_LINES, MAX_CSV_ROWS } from '#shared/limits'
import { decodeText as decodeInSteps } from '#shared/records/csv/decode'
import { type RowLimits, readCsv as readInSteps } from '#shared/records/csv/read'
import { RecordReader } from '#shared/records/reader'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

/** The errors of the `ApiError` that `run` throws. */
export function errorsOf(run: () => unknown): { status: number; message: string; errors: FieldError[] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      status: error.status,
      message: error.message,
      errors: [...(error.details.errors ?? [])].filter((found) => found !== PAUSE) as FieldError[],
    }
  }
  throw new Error('nothing was refused')
}

/** The text of a file, without pauses. */
export const decodeText = (bytes: Uint8Array, charset?: string) =>
  atOnce(decodeInSteps(bytes, recordTypes.symptom, charset))

/** A file, read without pauses. */
export function readCsv(text: string, type: RecordType, limits?: Partial<RowLimits>) {
  const { rows, ...document } = atOnce(
    readInSteps(text, type, { withData: MAX_CSV_ROWS, lines: MAX_CSV_LINES, ...limits }),
  )
  return { ...document, rows: withoutPauses(rows) }
}

/** The values of a sequence that also has pauses. */
export function* withoutPauses<T>(values: Iterable<T | Pause>): Generator<T> {
  for (const value of values) if (value !== PAUSE) yield value
}

/** The errors of a file as a whole whose rows can be read. */
export const fileErrors = (text: string, type: RecordType, limits?: Partial<RowLimits>): FieldError[] =>
  readCsv(text, type, limits).errors

/** All errors of a file, as a write reports them. */
export function allErrors(text: string, type: RecordType): FieldError[] {
  const { rows, warnings, errors, unread } = readCsv(text, type)
  const reader = new RecordReader(type, { format: 'csv', warnings, errors, unread, records: rows })
  return [...withoutPauses(reader.read())].flatMap((checked) => (Array.isArray(checked) ? checked : []))
}
