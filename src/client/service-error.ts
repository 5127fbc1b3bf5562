import { edgeAnswerOf } from '#client/edge-answer'
import type { ErrorBody, ErrorCode, ErrorItem } from '#client/endpoints'
import { ERROR_STATUS } from '#shared/errors/errors'

/**
 * `unreachable`: there was no complete response. `unknown`: the response came from between the client and the service.
 */
export type ServiceErrorCode = ErrorCode | 'unreachable' | 'unknown'

interface ServiceErrorDetails
  extends Partial<
    Pick<ServiceError, 'errors' | 'oauth' | 'reason' | 'requestId' | 'retryAfterMs' | 'isLasting' | 'cause'>
  > {
  status: number
  /** The response came from something between the client and the service. */
  isForeign?: boolean
}

const NAME = 'ServiceError'

const codeOf = (status: number): ServiceErrorCode => {
  if (status === 0) return 'unreachable'
  const entry = Object.entries(ERROR_STATUS).find(([, one]) => one === status)
  return (entry?.[0] as ErrorCode | undefined) ?? 'unknown'
}

/**
 * The only error that the client throws: the service rejected the request, or did not respond. `message` is a sentence
 * for users.
 *
 * An aborted request throws the reason of its signal instead.
 */
export class ServiceError extends Error {
  override readonly name: 'ServiceError' = NAME

  /** Also recognizes errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === NAME
  }

  /** Status of the response; 0 if there was none. */
  readonly status: number
  /** The status as a word. */
  readonly code: ServiceErrorCode
  /** Every failing field, or the guards that blocked a write; empty for other errors. */
  readonly errors: readonly ErrorItem[]
  /** OAuth 2.0 error code (RFC 6749, section 5.2), on the token endpoints. */
  readonly oauth: string | undefined
  /**
   * If the service did not respond: the code of the connection error, such as `ENOTFOUND`, or of Cloudflare's response
   * (`challenge` or `1020`); empty if there is none.
   */
  readonly reason: string
  /**
   * Whether every request fails in the same way until someone changes a setting, as with a Cloudflare challenge or an
   * untrusted certificate.
   */
  readonly isLasting: boolean
  /** The service's log contains the cause under this ID; null if there was no response. */
  readonly requestId: string | null
  /** The wait before another attempt that the service requests, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: ServiceErrorDetails) {
    super(message, { cause: details.cause })
    this.status = details.status
    this.code = details.isForeign ? 'unknown' : codeOf(details.status)
    this.errors = details.errors ?? []
    this.oauth = details.oauth
    this.reason = details.reason ?? ''
    this.isLasting = details.isLasting ?? false
    this.requestId = details.requestId ?? null
    this.retryAfterMs = details.retryAfterMs
  }

  /** The distinct codes in `errors`: `required`, `shrink_guard`. */
  get codes(): string[] {
    return [...new Set(this.errors.flatMap((item) => ('code' in item ? [item.code] : [])))]
  }
}

export const hasStatus = (error: unknown, status: number): error is ServiceError =>
  error instanceof ServiceError && error.status === status

/** Whether the service has rejected a request: nothing was written. */
export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status >= 400 && error.status < 500

/** A 409 other than the shrink guard's or a quota's: the catalog is not in the expected state. */
export const isStale = (error: unknown): error is ServiceError => hasStatus(error, 409) && error.errors.length === 0

/** Any other response comes from something between the client and the service. */
const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The responder's clock (RFC 9110, section 6.6.1), in milliseconds since 1970; null if the header is missing. */
export function dateOf(headers: Headers): number | null {
  const time = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(time) ? null : time
}

/** Excludes `-1` and `1e-9`, which are not numbers of seconds. */
const SECONDS = /^\d+$/

/** JavaScript parses `-1` as a date in 2001. */
const HTTP_DATE = / GMT$/

/**
 * Seconds or an HTTP date (RFC 9110, section 10.2.3), as milliseconds from now. The date is by the service's clock, so
 * it is compared with the `Date` of the same response. Any other text also asks for a wait: 0.
 */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')
  if (text === null) return undefined
  if (SECONDS.test(text)) return Number(text) * 1000
  const wait = HTTP_DATE.test(text) ? Date.parse(text) - (dateOf(headers) ?? Date.now()) : Number.NaN
  return Number.isNaN(wait) ? 0 : Math.max(0, wait)
}

export async function errorOf(response: Response): Promise<ServiceError> {
  const { status, headers } = response
  const text = await response.text()
  const body = parsedBody(text)
  const common = {
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfterMs: retryAfterMs(headers),
  }
  if (isErrorBody(body))
    return new ServiceError(body.message, { ...common, errors: body.errors ?? [], oauth: body.error })
  const edge = edgeAnswerOf(headers, text)
  if (edge === undefined) return foreignAnswer(status, common)
  const { message, code, isLasting } = edge
  return new ServiceError(message, { ...common, reason: code, isLasting, isForeign: true })
}

/** The error for a response that is not the service's, such as a network's login page. */
export const foreignAnswer = (status: number, more: Partial<ServiceErrorDetails> = {}): ServiceError =>
  new ServiceError(`The response (status ${status}) is not from the service. Check the URL, and proxies on the way.`, {
    ...more,
    status,
    isForeign: true,
  })

/** The error for a response of the service to a different request. */
export const otherAnswer = (status: number): ServiceError =>
  new ServiceError(
    'The response belongs to a different request: the type, mode, number of records or key differs. A cache or ' +
      'proxy may have returned an old response.',
    { status, isForeign: true },
  )

/** The error for a file that is truncated, or that mixes several states of the catalog. */
export const cutFile = (records: number, total: number): ServiceError =>
  new ServiceError(
    `The file has ${records} of ${total} records: it was truncated on the way, or the catalog has changed.`,
    { status: 0 },
  )

/** Node's error codes for a certificate that it rejects. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/

export const isUntrusted = ({ reason }: ServiceError): boolean => CERTIFICATE.test(reason)

/** The reason of an error if a proxy requires a name and a password (RFC 9110, section 15.5.8). */
export const PROXY_LOGIN = 'PROXY_407'

/** Node's message if a proxy refused to open a tunnel. */
const REFUSED_TUNNEL = /Proxy response \((\d{3})\)/

/** The code of a connection error: `ENOTFOUND`; empty if there is none. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const [, status] = REFUSED_TUNNEL.exec(error.message) ?? []
  if (status !== undefined) return `PROXY_${status}`
  return 'code' in error && typeof error.code === 'string' ? error.code : causeOf(error.cause)
}

/** The error if the service did not respond. `cause` is the error code, such as `ENOTFOUND`. */
export function unreachable(reason?: unknown): ServiceError {
  const cause = causeOf(reason)
  const details = { status: 0, cause: reason, reason: cause }
  const shown = cause === '' ? '' : ` (${cause})`
  const message = `The service cannot be reached${shown}. Check your connection and try again.`
  const error = new ServiceError(message, details)
  if (!isUntrusted(error) && cause !== PROXY_LOGIN) return error
  const what = cause === PROXY_LOGIN ? 'The proxy requires a user name and a password' : 'The certificate was rejected'
  return new ServiceError(`${what} (${cause}).`, { ...details, isLasting: true })
}
