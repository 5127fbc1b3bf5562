/**
 * Every code of a field error and its meaning (docs/contract.md#field-error-codes). The code is for programs and never
 * changes; `msg` is for people and may be reworded. The API description and the contract are generated from this list.
 */
export const FIELD_ERROR_CODES = {
  required: 'A value that must be there is missing or blank; in a CSV file also a mandatory column.',
  conditional: 'A value is required, or must not be sent, because of another value.',
  wrong_type: 'The value has another JSON type than the field, or the CSV cell is no value of the field.',
  too_long: 'The text has more characters than the field takes.',
  too_many: 'There are more items, rows, cells or records than are allowed.',
  too_deep: 'The value is nested more deeply than is allowed.',
  too_large: 'The record is larger than one record may be.',
  cut_off: 'The last row of a CSV file has fewer cells than the others and no line end: the file looks cut off.',
  not_allowed: 'The value is of the right type, but not one of those that are allowed.',
  malformed:
    'The text cannot be read: it has U+0000, half a surrogate pair, bytes that are not valid in its ' +
    'encoding, a quote that never closes or closes too early, or a line end in an id or a name of a CSV ' +
    'file.',
  duplicate_id: 'The same id occurs earlier in the request.',
  reserved_id: 'The id cannot be part of a path: it is the name of an endpoint, `.` or `..`.',
  ambiguous_column: 'It is not clear which column of the CSV file is meant, or which field a column is.',
  wrong_file: 'The file is empty, is not a CSV file, or is UTF-16 without a byte order mark.',
  repeated_header: 'The row of a CSV file repeats the header row.',
  ruled_line: 'The row of a CSV file is a line of `-`, `=`, `_`, `+` or `*`, and no record.',
  not_found: 'The value names something that does not exist.',
  start_again:
    'The copy of the caller has a state that the catalog does not know: it must be made again from the start.',
  unknown_parameter: 'The endpoint does not have this query parameter, or its body this member.',
  repeated_parameter:
    'A parameter, or a member of a small JSON body, is sent more than once, or in two places with different values.',
} as const

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES
