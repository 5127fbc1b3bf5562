import type { FieldError } from '#shared/errors/errors'
import type { Warning } from './warnings'

export const NO_ERRORS: readonly FieldError[] = []

/** One record of a request, with its number for the caller. */
export interface SourceRecord {
  /** JSON: 0-based position in the list. CSV: 1-based row below the header. */
  index: number
  /** The value as sent. In a valid request it is an object with typed values. */
  record: unknown
  /** The value of a field as the caller wrote it: the cell's text in CSV. */
  sentValue(field: string): unknown
  /** Errors found while reading, such as too many cells. */
  errors: readonly FieldError[]
  /** Why a row is not a record. Replaces its other errors. */
  refusal?: FieldError
  /** Work spent on reading it (`Work`). */
  units: number
}

/** A row without data. */
export interface BlankRow {
  index: null
  units: number
}

export interface RecordSource {
  format: 'json' | 'csv'
  /** Errors of the whole file. They precede the errors of its records, which are also checked. */
  errors: readonly FieldError[]
  /** Fields that cannot be checked because of `errors`: their column is missing or ambiguous. */
  unreadFields: ReadonlySet<string>
  /** Complete once the records have been read. */
  warnings: readonly Warning[]
  /** For CSV: the fields that have a column. A JSON record shows by itself which fields it sends. */
  columns?: ReadonlySet<string>
  records: Iterable<SourceRecord | BlankRow>
  /** Index of the last row of a CSV file that looks truncated; otherwise null. */
  cutOffRow?: number | null
  /** Why the records are not the whole catalog, if the body shows it. */
  partialError?: FieldError | null
  /** What the body has next to the records: unknown properties of its object or fields of its form. */
  propertiesBeside?: readonly [name: string, value: unknown][]
}
