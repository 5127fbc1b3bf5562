import type * as z from 'zod'
import { echoedValue } from '#shared/errors/echoed-value'
import type {
  emptiedGuardErrorSchema,
  errorNumbersSchema,
  errorResponseSchema,
  FieldErrorCode,
  fieldErrorSchema,
  quotaErrorSchema,
  shrinkGuardErrorSchema,
  unknownOutcomeSchema,
} from './schemas'

/** Error codes (docs/contract.md#errors). Codes only appear in the log. Clients see the status and the message. */
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

/** One failing field of one record, created by `fieldError`. `msg` continues a sentence that begins with the field. */
export type FieldError = z.output<typeof fieldErrorSchema>

/** The numbers in the message of a field error, so that clients need not parse English. */
export type ErrorNumbers = z.output<typeof errorNumbersSchema>

/** @param value is cut, so that a response is not much larger than its request @param numbers every number in `msg` */
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

interface ErrorDetails {
  /** A list, or any number of lists that are created while they are sent. */
  errors?: readonly ErrorItem[] | AsyncIterable<readonly ErrorItem[]>
  headers?: Record<string, string>
  oauth?: string | undefined
  /** For the log, if not the first of `errors`: an error, or the state that a write expected and did not find. */
  logEntry?: FieldError | { outcome: 'stale'; revision: number; expected_revision: number | null }
  /** The internal reason: logged, never sent. Must not contain secrets or personal data. */
  reason?: string | undefined
  cause?: unknown
}

/** An error with a message for the client. Any other exception is a fault, and the response is a plain 500. */
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

  bodyWithoutErrors(): ErrorBody {
    return { success: false, message: this.message, ...(this.details.oauth ? { error: this.details.oauth } : {}) }
  }

  headers(): Record<string, string> {
    return { ...DEFAULT_HEADERS[this.code], ...this.details.headers }
  }
}

/** The challenge of a 401 if the request contained a token (RFC 6750, section 3.1). */
export const INVALID_TOKEN = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }

const DEFAULT_HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': 'Bearer' },
  rate_limited: { 'Retry-After': '60' },
  unavailable: { 'Retry-After': '2' },
}

/** The errors of an `ApiError`, if they already exist as a list. */
export const listedErrors = ({ details: { errors } }: ApiError): readonly ErrorItem[] =>
  errors !== undefined && !(Symbol.asyncIterator in errors) ? errors : []

/** The `ApiError` in an exception. A database driver may have wrapped it. */
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

export const asError = (value: unknown): Error => (value instanceof Error ? value : new Error(String(value)))
