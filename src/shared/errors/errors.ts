import type * as z from 'zod'
import { echoedValue } from '#shared/errors/echoed-value'
import type {
  emptiedGuardErrorSchema,
  errorNumbersSchema,
  errorResponseSchema,
  fieldErrorSchema,
  quotaErrorSchema,
  shrinkGuardErrorSchema,
  unknownOutcomeSchema,
} from './schemas'

/**
 * The table of error codes, and the one place that makes an error body (docs/contract.md#errors). A code is
 * internal and goes to the log; the client sees the status, the message and the `errors` list.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  deadline_exceeded: 504,
  storage_full: 507,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/**
 * Every code of a field error and its meaning (docs/contract.md#field-error-codes). The code is for programs
 * and never changes; `msg` is for people and may be reworded. The API description and the contract are
 * generated from this list.
 */
export const FIELD_ERROR_CODES = {
  required: 'A value that must be there is missing or blank; in a CSV file also a mandatory column.',
  conditional: 'A value is required, or must not be sent, because of another value.',
  wrong_type: 'The value has another JSON type than the field, or the CSV cell is no value of the field.',
  too_long: 'The text has more characters than the field takes.',
  too_many: 'There are more items, rows, cells or records than are allowed.',
  too_deep: 'The value is nested more deeply than is allowed.',
  too_large: 'The record is larger than one record may be.',
  cut_off:
    'The last row of a CSV file has fewer cells than the others and no line end: the file looks cut off.',
  not_allowed: 'The value is of the right type, but not one of those that are allowed.',
  malformed:
    'The text cannot be read: it has U+0000, half a surrogate pair, bytes that are not valid in its encoding, a quote ' +
    'that never closes or closes too early, or a line end in an id or a name of a CSV file.',
  duplicate_id: 'The same id occurs earlier in the request.',
  reserved_id: 'The id cannot be part of a path: it is the name of an endpoint, `.` or `..`.',
  ambiguous_column: 'It is not clear which column of the CSV file is meant, or which field a column is.',
  wrong_file: 'The file is empty, or it is not a CSV file.',
  not_found: 'The value names something that does not exist.',
  start_again:
    'The copy of the caller has a state that the catalog does not know: it must be made again from the start.',
  unknown_parameter: 'The endpoint does not have this query parameter, or its body this member.',
  repeated_parameter:
    'A parameter, or a member of a small JSON body, is sent more than once, or in two places with different values.',
} as const

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES

/** One failing field of one record. Made by `fieldError`. `msg` reads as a sentence behind the name of the field. */
export type FieldError = z.output<typeof fieldErrorSchema>

/** The numbers in the message of a field error, so that no program reads them out of English. */
export type ErrorNumbers = z.output<typeof errorNumbersSchema>

/**
 * The one place that makes a field error. `value` is cut, so that an answer cannot be much larger than its request.
 *
 * @param numbers every number in `msg`
 */
export const fieldError = (
  index: number | null,
  field: string | null,
  code: FieldErrorCode,
  msg: string,
  value: unknown = null,
  numbers?: ErrorNumbers,
): FieldError => ({ index, field, code, msg, value: echoedValue(value), ...numbers })

export const sentenceOf = ({ field, msg }: Pick<FieldError, 'field' | 'msg'>): string =>
  field === null ? msg : `${field} ${msg}`

export type ShrinkGuardError = z.output<typeof shrinkGuardErrorSchema>
export type EmptiedGuardError = z.output<typeof emptiedGuardErrorSchema>
export type QuotaError = z.output<typeof quotaErrorSchema>
export type UnknownOutcome = z.output<typeof unknownOutcomeSchema>
export type ErrorBody = z.output<typeof errorResponseSchema>

export type ErrorItem = FieldError | ShrinkGuardError | EmptiedGuardError | QuotaError | UnknownOutcome

/** A write expected another state of the catalog. */
export interface StaleState {
  outcome: 'stale'
  revision: number
  expected_revision: number | null
}

interface ErrorDetails {
  /** A list, or lists of any number that are made while they are sent. */
  errors?: readonly ErrorItem[] | AsyncIterable<readonly ErrorItem[]>
  headers?: Record<string, string>
  oauth?: string | undefined
  /** For the log, if `errors` does not begin with it. */
  noted?: FieldError | StaleState
  /** What happened inside; written to the log, never sent. Must not hold secrets or personal data. */
  reason?: string | undefined
  cause?: unknown
}

/** A refusal with a message for the client. Anything else that is thrown is a fault and becomes a plain 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.details = details
  }

  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code]
  }

  /** The body without its `errors` list. */
  bodyWithoutErrors(): ErrorBody {
    return {
      success: false,
      message: this.message,
      ...(this.details.oauth ? { error: this.details.oauth } : {}),
    }
  }

  headers(): Record<string, string> {
    return { ...DEFAULT_HEADERS[this.code], ...this.details.headers }
  }
}

const DEFAULT_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': 'Bearer' },
  rate_limited: { 'Retry-After': '60' },
  unavailable: { 'Retry-After': '2' },
}

/** The errors of a refusal, if they are there already. */
export const listedErrors = ({ details: { errors } }: ApiError): readonly ErrorItem[] =>
  errors !== undefined && !(Symbol.asyncIterator in errors) ? errors : []

/** The refusal inside an error. A database driver may have wrapped it. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  return error instanceof Error && error.cause !== undefined ? apiErrorOf(error.cause) : undefined
}

export const invalidField = (
  field: string | null,
  code: FieldErrorCode,
  msg: string,
  value: unknown = null,
  numbers?: ErrorNumbers,
): ApiError =>
  new ApiError('invalid_request', sentenceOf({ field, msg }), {
    errors: [fieldError(null, field, code, msg, value, numbers)],
  })
