import type { JsonPath } from './api'
import { isRepeatable, type Request } from './request'
import { ServiceError } from './service-error'

export interface RetryPolicy {
  /** How often a request is sent at most. With 1 it is never sent again. */
  attempts: number
  /** Longest wait before the second attempt, in milliseconds. It doubles before each further attempt. */
  firstWaitMs: number
  /** Longest wait of all, in milliseconds. When the service asks for a longer one, its error is thrown at once. */
  longestWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, firstWaitMs: 300, longestWaitMs: 10_000 }

/** Calls by POST that have the same result when they are sent more than once. */
const REPEATABLE_POSTS: readonly JsonPath<'post'>[] = [
  '/admin/datasets/v1/',
  '/admin/datasets/v1/search-status/',
  '/admin/workspace/v1/members',
  '/admin/workspace/v1/webhooks/{webhook_id}/enable',
  '/api/v1/auth/token',
  '/api/v1/auth/session/token',
  '/medical-db/v1/search/',
]

/**
 * Whether a request may be sent again when its outcome is unknown. A write that expects a state may not: if it
 * was carried out, the second one is refused.
 */
function isSafe({ method, path, query, body }: Request): boolean {
  if (!isRepeatable(body)) return false
  if (method !== 'POST') return true
  if (query.dry_run === true || query.dry_run === 'true') return true
  const expects = query.expected_revision !== undefined || query.expected_epoch !== undefined
  return !expects && (REPEATABLE_POSTS as readonly string[]).includes(path)
}

/** Statuses after which another attempt may succeed; 0 means no answer. */
const TRANSIENT_STATUSES: readonly number[] = [0, 502, 503, 504]

/**
 * How long to wait before a request is sent again: as long as the service asks, else a random part of a wait that
 * doubles. The random part keeps clients that failed together from returning together.
 *
 * @param attempt how often it has been sent
 * @param random from 0 to 1
 * @returns milliseconds; undefined when it must not be sent again
 */
export function waitBeforeRetry(
  policy: RetryPolicy,
  request: Request,
  error: unknown,
  attempt: number,
  random: number = Math.random(),
): number | undefined {
  if (!(error instanceof ServiceError) || attempt >= policy.attempts) return undefined
  // A request over the rate limit was refused before anything was done.
  const mayRepeat =
    error.status === 429
      ? isRepeatable(request.body)
      : TRANSIENT_STATUSES.includes(error.status) && isSafe(request)
  if (!mayRepeat) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs !== undefined) return retryAfterMs <= policy.longestWaitMs ? retryAfterMs : undefined
  return random * Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** (attempt - 1))
}

/** Resolves after a time. @throws the reason of the signal, as soon as it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
