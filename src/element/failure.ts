import { TIMEOUT_MS, VIOLATION_MS } from './limits'
import type { TextName } from './texts'

type FailureKind = Extract<TextName, 'offline' | 'unauthorized' | 'forbidden' | 'busy' | 'failed' | 'setup'>

const KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'setup',
  405: 'setup',
  429: 'busy',
}

/** URLs that the page's Content Security Policy blocked. `fetch` alone cannot tell this from a lost connection. */
const blocked = new Set<string>()
addEventListener('securitypolicyviolation', ({ disposition, blockedURI }) => {
  if (disposition === 'enforce') blocked.add(blockedURI)
})

/** Why a search or a token request failed. */
export class Failure extends Error {
  // Declared only, so that no field is emitted: the constructor sets them.
  declare readonly kind: FailureKind
  /** Status of the response; 0 if there was none. */
  declare readonly status: number
  declare readonly requestId: string | null
  /** The wait that the response asks for before a retry, in milliseconds. Undefined if a retry cannot help. */
  declare readonly retryMs: number | undefined

  /** @param kind overrides the kind that the status implies */
  constructor(message: string, response?: Response, kind?: FailureKind) {
    super(message)
    this.status = response?.status ?? 0
    this.kind = kind ?? (response ? (KINDS[this.status] ?? 'failed') : 'offline')
    this.requestId = response?.headers.get('X-Request-Id') ?? null
    if (this.kind === 'offline' || this.kind === 'busy' || this.status >= 500)
      this.retryMs = Number(response?.headers.get('Retry-After')) * 1000 || 1
  }
}

/** An error in the page or its backend. */
export const setupFailure = (message: string, response?: Response): Failure => new Failure(message, response, 'setup')

/** Converts any error to a Failure. */
export const failureOf = (error: unknown): Failure => (error instanceof Failure ? error : new Failure(String(error)))

/**
 * Sends a request. If it fails, finds out whether the server is unreachable or the page is not allowed to reach it or
 * to read its response.
 *
 * @throws Failure if there is no response in time
 */
export async function send(url: string, options: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const init = { ...options, signal }
  try {
    return await fetch(url, init)
  } catch (error) {
    // Any page may send this request. It carries no cookies.
    const isReached = await fetch(url, { mode: 'no-cors', credentials: 'omit', signal }).then(
      () => true,
      () => new Promise<boolean>((resolve) => setTimeout(resolve, VIOLATION_MS, false)),
    )
    if (blocked.has(url)) throw setupFailure(`the content policy of the page blocks ${url}`)
    if (!isReached) throw error
    // The connection may only have been lost for a moment.
    return fetch(url, init).catch(() => {
      throw setupFailure(`${url} allows no page of ${self.origin} (CORS)`)
    })
  }
}

/** The JSON of a response. @throws Failure for an error status or invalid JSON; what `fetch` throws if it is cut off */
export async function jsonOf(response: Response, parse: (text: string) => unknown = JSON.parse): Promise<unknown> {
  const answer = await response.text()
  const body = await Promise.resolve(answer)
    .then(parse)
    .catch(() => undefined)
  if (response.ok && body !== undefined) return body
  const { message } = (body ?? {}) as { message?: unknown }
  const text = String(message ?? `${response.url} answered ${response.status}, no JSON`)
  throw response.ok ? setupFailure(text) : new Failure(text, response)
}
