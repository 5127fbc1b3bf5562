import { ApiError, type ErrorNumbers, type FieldErrorCode, fieldError, sentenceOf } from '#errors/errors'

/** The 400 for a file that cannot be read. `index` of its error is null even if the message names a row. */
export function unreadableFile(
  code: FieldErrorCode,
  msg: string,
  value: unknown = null,
  numbers?: ErrorNumbers,
): ApiError {
  const error = fieldError(null, null, code, msg, value, numbers)
  return new ApiError('invalid_request', `The CSV file cannot be read: ${sentenceOf(error)}.`, {
    errors: [error],
  })
}
