import type { JsonPath } from '#client/api'
import { DATASETS } from '#client/records'
import { isRepeatable, type Request } from '#client/request'
import { ServiceError } from '#client/service-error'

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
  '/admin/datasets/v1/search-status/',
  '/admin/workspace/v1/members',
  '/admin/workspace/v1/webhooks/{webhook_id}/enable',
  '/api/v1/auth/session',
  '/api/v1/auth/token',
  '/api/v1/auth/session/token',
  '/medical-db/v1/search/',
]

/** A partner token in a header, which may be good for one request only. */
const hasPartnerToken = (headers: Request['headers']): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'x-auth-token')

/**
 * Whether a request may be sent again when its outcome is unknown. A write to a catalog may not: others may have
 * written since. `sync` looks what became of it.
 */
function isSafe({ method, path, query, headers, body }: Request): boolean {
  if (!isRepeatable(body) || hasPartnerToken(headers)) return false
  if (method !== 'POST' || query.dry_run === true || query.dry_run === 'true') return true
  return (REPEATABLE_POSTS as readonly string[]).includes(path)
}

/** Whether the service refused a request before it did anything: over the rate limit, or too busy to write. */
const wasNotBegun = ({ status, codes, requestId }: ServiceError, { path }: Request): boolean =>
  status === 429 ||
  (status === 503 && path === DATASETS && requestId !== null && !codes.includes('unknown_outcome'))

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
  const mayRepeat = wasNotBegun(error, request)
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
