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

/** Addresses that the content policy of the page has blocked: for scripts that is the same as no connection. */
const blocked = new Set<string>()
addEventListener('securitypolicyviolation', ({ disposition, blockedURI }) => {
  if (disposition === 'enforce') blocked.add(blockedURI)
})

/** Why a search or getting a token failed. */
export class Failure extends Error {
  // Declared only: the constructor sets them.
  declare readonly kind: FailureKind
  /** Status of the answer; 0 if there was none. */
  declare readonly status: number
  declare readonly requestId: string | null
  /** The wait that the answer asks for before another search; undefined if that would not help. */
  declare readonly retryMs: number | undefined

  /** @param kind if the status of an answer does not tell it */
  constructor(message: string, response?: Response, kind?: FailureKind) {
    super(message)
    this.status = response?.status ?? 0
    this.kind = kind ?? (response ? (KINDS[this.status] ?? 'failed') : 'offline')
    this.requestId = response?.headers.get('X-Request-Id') ?? null
    if (this.kind === 'offline' || this.kind === 'busy' || this.status >= 500)
      this.retryMs = Number(response?.headers.get('Retry-After')) * 1000 || 1
  }
}

/** The page or its backend is at fault. */
export const setupFailure = (message: string, response?: Response): Failure => new Failure(message, response, 'setup')

/** Makes any error a Failure. */
export const failureOf = (error: unknown): Failure => (error instanceof Failure ? error : new Failure(String(error)))

/**
 * Sends a request, and tells a server that is not reached from one that the page may not reach, or whose answer it may
 * not read.
 *
 * @throws Failure if there is no answer in time
 */
export async function send(url: string, options: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const init = { ...options, signal }
  try {
    return await fetch(url, init)
  } catch (error) {
    // A request that every page may send, without cookies.
    const isReached = await fetch(url, { mode: 'no-cors', credentials: 'omit', signal }).then(
      () => true,
      () => new Promise<boolean>((resolve) => setTimeout(resolve, VIOLATION_MS, false)),
    )
    if (blocked.has(url)) throw setupFailure(`the content policy of the page blocks ${url}`)
    if (!isReached) throw error
    // Perhaps the connection broke for a moment.
    return fetch(url, init).catch(() => {
      throw setupFailure(`${url} allows no page of ${self.origin} (CORS)`)
    })
  }
}

/** The JSON of an answer. @throws Failure if it is a refusal or no JSON; what `fetch` throws if it ends early */
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
