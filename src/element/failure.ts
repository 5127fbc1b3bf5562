import type { TextName } from './texts'

type FailureKind = Extract<TextName, 'offline' | 'unauthorized' | 'forbidden' | 'busy' | 'failed'>

const KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'busy',
}

/** Milliseconds before a failed search is repeated, if the answer does not say it; doubled for each further one ... */
const RETRY_MS = 2000

/** ... so many times at most. */
const MOST_DOUBLINGS = 4

/** Why a search or getting a token failed. */
export class Failure extends Error {
  readonly kind: FailureKind
  /** Status of the answer; 0 if there was none. */
  readonly status: number
  readonly requestId: string | null
  /** Seconds after which the service wants to be asked again. */
  readonly retryAfter: number

  /** @param kind if there is no answer that tells it */
  constructor(message: string, response?: Response, kind: FailureKind = 'offline') {
    super(message)
    this.status = response?.status ?? 0
    this.kind = response === undefined ? kind : (KINDS[this.status] ?? 'failed')
    this.requestId = response?.headers.get('X-Request-Id') ?? null
    this.retryAfter = Number(response?.headers.get('Retry-After')) || 0
  }

  /** The wait before the search is repeated by itself; undefined if that would not help. */
  retryMs(retries: number): number | undefined {
    const helps = this.kind === 'offline' || this.kind === 'busy' || this.status >= 500
    if (!helps) return undefined
    return this.retryAfter * 1000 || RETRY_MS * 2 ** Math.min(retries, MOST_DOUBLINGS)
  }
}

/** Makes any error a Failure. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(error instanceof Error ? error.message : String(error))

/** Gives the response back. @throws Failure with its message if it is a refusal */
export async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => null)
  const message = (body as { message?: unknown } | null)?.message
  throw new Failure(typeof message === 'string' ? message : `${response.url} answered ${response.status}`, response)
}
