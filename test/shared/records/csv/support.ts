import { ApiError, type FieldError, listedErrors } from '#shared/errors/errors'
import { MAX_CSV_LINES, MAX_CSV_ROWS } from '#shared/limits'
import { decodeText as decodeInSteps } from '#shared/records/csv/decode'
import { type RowLimits, readCsv as readInSteps } from '#shared/records/csv/read'
import { RecordCheck } from '#shared/records/record-check'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { BlankRow } from '#shared/records/source'
import { atOnce } from '#shared/work'

/** The errors of the `ApiError` that `run` throws. */
export function errorsOf(run: () => unknown): { status: number; message: string; errors: FieldError[] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      status: error.status,
      message: error.message,
      errors: listedErrors(error) as FieldError[],
    }
  }
  throw new Error('nothing was refused')
}

/** An error of a file as a whole, with `more` members. */
export const fileError = (code: string, msg: string, more: object = {}) => ({
  index: null,
  field: null,
  code,
  msg,
  value: null,
  ...more,
})

/** The text of a file, without pauses. */
export const decodeText = (bytes: Uint8Array, charset?: string) =>
  atOnce(decodeInSteps(bytes, recordTypes.symptom, charset))

/** A file, read without pauses and without blank rows. */
export function readCsv(text: string, type: RecordType, limits?: Partial<RowLimits>) {
  const { rows, ...document } = atOnce(
    readInSteps(text, type, { withData: MAX_CSV_ROWS, lines: MAX_CSV_LINES, ...limits }),
  )
  return { ...document, rows: withData(rows) }
}

function* withData<T extends { index: number | null }>(rows: Iterable<T | BlankRow>): Generator<T> {
  for (const row of rows) if (row.index !== null) yield row as T
}

/** The errors of a file as a whole whose rows can be read. */
export const fileErrors = (text: string, type: RecordType, limits?: Partial<RowLimits>): readonly FieldError[] =>
  readCsv(text, type, limits).errors

/** All errors of a file, as a write reports them. */
export function allErrors(text: string, type: RecordType): FieldError[] {
  const { rows, warnings, errors, unreadFields } = readCsv(text, type)
  const reader = new RecordCheck(type, { format: 'csv', warnings, errors, unreadFields: unreadFields, records: [] })
  const ofRows = [...rows].map((row) => reader.check(row).result)
  return [...errors, ...ofRows.flatMap((checked) => (Array.isArray(checked) ? checked : []))]
}
