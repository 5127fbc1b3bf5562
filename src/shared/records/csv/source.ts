import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { mayHoldErrors } from '#shared/records/value-warnings'
import type { Work } from '#shared/work'
import { decodeText } from './decode'
import { readCsv } from './read'

/**
 * The records of a CSV file.
 *
 * @param charset of its content type; without it the bytes decide
 * @throws ApiError 415 for an unknown charset; 400 for a file without a row that can be read
 */
export function* csvSource(bytes: Uint8Array, type: RecordType, charset?: string): Work<RecordSource> {
  const decoded = yield* decodeText(bytes, type, charset)
  const { rows, warnings, ...document } = yield* readCsv(decoded.text, type)
  warnings.unshift(...decoded.warnings)
  return {
    format: 'csv',
    ...document,
    warnings,
    records: rows,
    isWellFormed: !decoded.text.includes('\0') && decoded.text.isWellFormed(),
    mayHoldErrors: mayHoldErrors(decoded.text),
  }
}
