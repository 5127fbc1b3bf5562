import type { FieldErrorCode } from '#shared/errors/schemas'
import { countText } from '#shared/records/warnings'

/** Errors with one field and code. Values and messages are not stored, because both may contain values of records. */
export interface CountedErrors {
  /** Null for a column that is not a field. */
  field: string | null
  code: string
  count: number
  first_index: number | null
}

/** The text of an error, after the name of its field. */
const WORDS: Readonly<Record<FieldErrorCode, string>> = {
  required: 'is missing',
  conditional: 'does not fit another value',
  wrong_type: 'has the wrong type',
  too_long: 'is too long',
  too_many: 'has too many items',
  too_deep: 'is nested too deeply',
  too_large: 'is too large',
  cut_off: 'looks cut off',
  not_allowed: 'has a value that is not allowed',
  malformed: 'cannot be read',
  duplicate_id: 'occurs more than once',
  reserved_id: 'is reserved',
  ambiguous_column: 'has no clear column',
  wrong_file: 'is not a CSV file',
  repeated_header: 'repeats the header row',
  ruled_line: 'is a separator line, not a record',
  not_found: 'does not exist',
  start_again: 'has an unknown state',
  unknown_parameter: 'is not known here',
  repeated_parameter: 'is sent more than once',
}

const isFieldErrorCode = (code: string): code is FieldErrorCode => code in WORDS

function textOf({ field, code, count, first_index }: CountedErrors): string {
  const subject = field ?? (first_index === null ? 'the file' : 'a record')
  const place = first_index === null ? '' : `${count === 1 ? ' at' : ', first at'} index ${first_index}`
  const words = isFieldErrorCode(code) ? WORDS[code] : code
  return `${subject} ${words} (${countText(count, 'error')}${place})`
}

/** Most kinds of errors in a message. */
const NAMED_KINDS = 3

/** The message of an upload with invalid records. @param kinds most frequent first */
export function invalidMessage(kinds: readonly CountedErrors[], errorCount: number): string {
  const named = kinds.slice(0, NAMED_KINDS)
  const rest = errorCount - named.reduce((sum, { count }) => sum + count, 0)
  const further = rest > 0 ? `; ${countText(rest, 'further error')}` : ''
  return `Not valid: ${named.map(textOf).join('; ')}${further}. Nothing was written.`
}
