import { ApiError, type FieldError, type FieldErrorCode, fieldError, sentenceOf } from '#errors'

/** An error of the file as a whole. `index` is null even if the message names a row. */
export const fileError = (
  code: FieldErrorCode,
  msg: string,
  field: string | null = null,
  value: unknown = null,
): FieldError => fieldError(null, field, code, msg, value)

/** The 400 for a file that cannot be read: a sentence with the first error, and all errors in `errors`. */
export function unreadableFile(first: FieldError, ...others: FieldError[]): ApiError {
  return new ApiError('invalid_request', `The CSV file cannot be read: ${sentenceOf(first)}.`, {
    errors: [first, ...others],
  })
}
