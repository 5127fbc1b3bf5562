import { ApiError, type ErrorNumbers, type FieldError, fieldError, sentenceOf } from '#shared/errors/errors'
import type { FieldErrorCode } from '#shared/errors/schemas'

/** The 400 for a file that cannot be read, and its only error. */
export class UnreadableFile extends ApiError {
  readonly fault: FieldError

  constructor(fault: FieldError) {
    super('invalid_request', `The CSV file cannot be read: ${sentenceOf(fault)}.`, { errors: [fault] })
    this.fault = fault
  }
}

/** `index` of its error is null even if the message names a row. */
export function unreadableFile(
  code: FieldErrorCode,
  msg: string,
  value: unknown = null,
  numbers?: ErrorNumbers,
): UnreadableFile {
  return new UnreadableFile(fieldError(null, null, code, msg, value, numbers))
}
