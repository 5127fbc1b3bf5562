import type { FieldError } from '#errors'
import type { Warning } from './warnings'

/** One record of a request, with the number by which the caller knows it. */
export interface SourceRecord {
  /** JSON: 0-based place in the list. CSV: 1-based row below the header. */
  index: number
  /** The value as sent: an object with typed values if all is well. */
  record: unknown
  /** The value of a field as the caller wrote it: the cell's text in CSV. */
  sent(field: string): unknown
  /** Errors found while reading, such as too many cells. */
  errors: readonly FieldError[]
}

/** The records of a request, read one at a time. */
export interface RecordSource {
  format: 'json' | 'csv'
  /** Errors of the file as a whole. They come before those of the records, which are checked all the same. */
  errors: readonly FieldError[]
  /** Fields that cannot be judged because of `errors`: their column is missing, or it is not clear which one it is. */
  unread: ReadonlySet<string>
  /** Known once the records have been read. */
  warnings: readonly Warning[]
  records: Iterable<SourceRecord>
}
