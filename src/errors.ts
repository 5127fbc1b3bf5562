/**
 * The one table of error codes and the one place that makes an error body (specification, section Errors).
 * A code is internal and goes to the log; the client sees the status, the message and the `errors` list.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  deadline_exceeded: 504,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One failing field of one record; `index` is 0-based in JSON, the 1-based data row in CSV, null for the file. */
export interface FieldError {
  index: number | null
  field: string | null
  msg: string
  value: unknown
}

export interface ShrinkGuardError {
  code: 'shrink_guard'
  active_before: number
  would_deactivate: number
}

/** What the catalogs of a workspace may hold together, hold, and would hold after the write. */
export interface QuotaError {
  code: 'quota'
  quota: 'records' | 'bytes'
  limit: number
  used: number
  needed: number
}

export interface ErrorBody {
  success: false
  message: string
  errors?: ErrorItem[]
  /** OAuth 2.0 error code (RFC 6749, section 5.2), on the token endpoint only. */
  error?: string
}

export type ErrorItem = FieldError | ShrinkGuardError | QuotaError

interface ErrorDetails {
  /** A list, or a sequence that is made while it is being sent, however long it is. */
  errors?: Iterable<ErrorItem>
  headers?: Record<string, string>
  /** OAuth 2.0 error code for the body. */
  oauth?: string
  /** What happened inside; written to the log, never sent. Must not hold secrets or personal data. */
  reason?: string
  cause?: unknown
}

/** A refusal with a message that is meant for the client. Everything else that is thrown becomes a plain 500. */
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

/** The refusal that an error is, or that the layers of a driver have wrapped. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  return error instanceof Error && error.cause !== undefined ? apiErrorOf(error.cause) : undefined
}

/** A 400 that names one failing parameter or body field. */
export const invalidField = (field: string | null, msg: string, value: unknown = null): ApiError =>
  new ApiError('invalid_request', field === null ? msg : `${field} ${msg}`, {
    errors: [{ index: null, field, msg, value }],
  })
