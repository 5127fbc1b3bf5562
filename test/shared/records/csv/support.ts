import { ApiError, type FieldError, listedErrors } from '#shared/errors/errors'
import { MAX_CSV_LINES, MAX_CSV_ROWS } from '#shared/limits'
import { decodeText as decodeInSteps } from '#shared/records/csv/decode'
import { csvSource, type RowLimits, readCsv as readInSteps } from '#shared/records/csv/read'
import { jsonSource } from '#shared/records/json-source'
import { RecordCheck } from '#shared/records/record-check'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { RecordSource, SourceRecord } from '#shared/records/source'
import { utf8Encoder } from '#shared/text/utf8'
import { atOnce } from '#shared/work'

/** The errors of the `ApiError` that `run` throws. */
export function errorsOf(run: () => unknown): { status: number; message: string; errors: FieldError[] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, message: error.message, errors: listedErrors(error) as FieldError[] }
  }
  throw new Error('nothing was refused')
}

/** An error of a file as a whole, with additional properties `more`. */
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
  const { records, ...document } = atOnce(
    readInSteps(text, type, { withData: MAX_CSV_ROWS, lines: MAX_CSV_LINES, ...limits }),
  )
  return { ...document, rows: withData(records) }
}

/** A row with data: the values of its fields, not validated. */
type CsvRow = SourceRecord & { record: RawRecord }

export function* withData(rows: RecordSource['records']): Generator<CsvRow> {
  for (const row of rows) if (row.index !== null) yield row as CsvRow
}

/** The errors of a file as a whole whose rows can be read. */
export const fileErrors = (text: string, type: RecordType, limits?: Partial<RowLimits>): readonly FieldError[] =>
  readCsv(text, type, limits).errors

/** A write's report about these records: their errors and the warnings. */
function checked(source: RecordSource, type: RecordType) {
  const check = new RecordCheck(type, source)
  const results = [...withData(source.records)].map((row) => check.check(row).result)
  const errors = [...source.errors, ...results.flatMap((result) => (Array.isArray(result) ? result : []))]
  return { errors, warnings: check.warnings }
}

export const checkedCsv = (text: string, type: RecordType = recordTypes.medication) =>
  checked(atOnce(csvSource(utf8Encoder.encode(text), type)), type)

/** @param body records, or JSON text */
export const checkedJson = (body: unknown, type: RecordType = recordTypes.medication) =>
  checked(atOnce(jsonSource(utf8Encoder.encode(typeof body === 'string' ? body : JSON.stringify(body)))), type)

/** All errors of a file, as a write reports them. */
export const allErrors = (text: string, type: RecordType): FieldError[] => checkedCsv(text, type).errors
