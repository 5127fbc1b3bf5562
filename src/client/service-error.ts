import { edgeAnswerOf } from '#client/edge-answer'
import type { ErrorBody, ErrorCode, ErrorItem } from '#client/endpoints'
import { ERROR_STATUS } from '#shared/errors/errors'

/** `unreachable`: there was no whole answer. `unknown`: something between the client and the service answered. */
export type ServiceErrorCode = ErrorCode | 'unreachable' | 'unknown'

interface ServiceErrorDetails
  extends Partial<
    Pick<ServiceError, 'errors' | 'oauth' | 'reason' | 'requestId' | 'retryAfterMs' | 'isLasting' | 'cause'>
  > {
  status: number
  /** Something between the client and the service has answered. */
  isForeign?: boolean
}

const NAME = 'ServiceError'

const codeOf = (status: number): ServiceErrorCode => {
  if (status === 0) return 'unreachable'
  const entry = Object.entries(ERROR_STATUS).find(([, one]) => one === status)
  return (entry?.[0] as ErrorCode | undefined) ?? 'unknown'
}

/**
 * The only error that the client throws: a refusal of the service, or no answer from it. `message` is a sentence for
 * people.
 *
 * An aborted call throws the reason of its signal instead.
 */
export class ServiceError extends Error {
  override readonly name: 'ServiceError' = NAME

  /** An error of another copy of this package is one too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === NAME
  }

  /** Status of the answer; 0 when there was none. */
  readonly status: number
  /** The status as a word. */
  readonly code: ServiceErrorCode
  /** Every failing field, or why a write was stopped; empty for other errors. */
  readonly errors: readonly ErrorItem[]
  /** OAuth 2.0 error code (RFC 6749, section 5.2), on the token endpoints. */
  readonly oauth: string | undefined
  /**
   * Without an answer of the service: the code of what ended the connection, such as `ENOTFOUND`, or of what Cloudflare
   * answered in its place, `challenge` or `1020`; empty if there is none.
   */
  readonly reason: string
  /**
   * Whether every request ends in the same way until somebody changes a setting, as with a challenge of Cloudflare or a
   * certificate that is not trusted.
   */
  readonly isLasting: boolean
  /** The service's log has the cause under this id; null when there was no answer. */
  readonly requestId: string | null
  /** Wait before another attempt that the service asks for, in milliseconds. */
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

  /** The codes that occur in `errors`, each once: `required`, `shrink_guard`. */
  get codes(): string[] {
    return [...new Set(this.errors.flatMap((item) => ('code' in item ? [item.code] : [])))]
  }
}

export const hasStatus = (error: unknown, status: number): error is ServiceError =>
  error instanceof ServiceError && error.status === status

/** Whether the service has refused a request: nothing of it was written. */
export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status >= 400 && error.status < 500

/**
 * A 409 that is not the shrink guard's or a quota's: the catalog is in another state than the one that was expected.
 */
export const isStale = (error: unknown): error is ServiceError => hasStatus(error, 409) && error.errors.length === 0

/** Any other answer comes from something between the client and the service. */
const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The clock of whoever answered (RFC 9110, section 6.6.1), in milliseconds since 1970; null if it does not tell. */
export function dateOf(headers: Headers): number | null {
  const time = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(time) ? null : time
}

/** `-1` and `1e-9` are no numbers of seconds. As a date, JavaScript takes the first one for one of 2001. */
const SECONDS = /^\d+$/

const HTTP_DATE = / GMT$/

/**
 * Seconds or an HTTP date (RFC 9110, section 10.2.3), as milliseconds from now. A date is one by the clock of the
 * service, so it is compared with the `Date` of the same answer.
 */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')
  if (text === null) return undefined
  if (SECONDS.test(text)) return Number(text) * 1000
  const wait = HTTP_DATE.test(text) ? Date.parse(text) - (dateOf(headers) ?? Date.now()) : Number.NaN
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
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

/** The error for an answer of something else, such as the page of a network that wants a login first. */
export const foreignAnswer = (status: number, more: Partial<ServiceErrorDetails> = {}): ServiceError =>
  new ServiceError(
    `Something else than the service answered with status ${status}. Check that the address is that of the service.`,
    { ...more, status, isForeign: true },
  )

/** The error for an answer of the service to another request. */
export const otherAnswer = (status: number): ServiceError =>
  new ServiceError(
    'The response is about another request: type, mode, number of records or key differ. A cache or proxy on the way ' +
      'may have sent an old one.',
    { status, isForeign: true },
  )

/** The error for a file that ends early, or that is not of one moment. */
export const cutFile = (records: number, total: number): ServiceError =>
  new ServiceError(
    `The file has ${records} of ${total} records: something on its way has cut it, or the catalog has changed.`,
    { status: 0 },
  )

/** Node's codes for a certificate that it refuses. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/

export const isUntrusted = ({ reason }: ServiceError): boolean => CERTIFICATE.test(reason)

/** The reason of an error when a proxy wants a name and a password (RFC 9110, section 15.5.8). */
export const PROXY_LOGIN = 'PROXY_407'

/** How Node tells that a proxy has refused to open a tunnel. */
const REFUSED_TUNNEL = /Proxy response \((\d{3})\)/

/** The code of what ended a connection: `ENOTFOUND`; empty if there is none. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const [, status] = REFUSED_TUNNEL.exec(error.message) ?? []
  if (status !== undefined) return `PROXY_${status}`
  return 'code' in error && typeof error.code === 'string' ? error.code : causeOf(error.cause)
}

/** The error for a service without an answer. `cause` is what a program finds out about it, such as `ENOTFOUND`. */
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
