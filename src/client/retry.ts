import { DATASETS, type JsonPath } from '#client/api'
import type { Request } from '#client/request'
import { ServiceError } from '#client/service-error'

export interface RetryPolicy {
  /** Most attempts of a request: 4. With 1 it is never retried. */
  attempts?: number | undefined
  /**
   * Longest wait before the second attempt, in milliseconds: 300. It doubles before each further attempt, up to 10
   * seconds.
   */
  firstWaitMs?: number | undefined
  /**
   * Longest wait in any case, in milliseconds: 10,000. If the service requests a longer wait, its error is thrown
   * immediately. A function is called before each wait, for callers with a time limit.
   */
  longestWaitMs?: number | (() => number) | undefined
  /** Called before each wait, with its reason and its length in milliseconds. */
  onWait?: ((error: ServiceError, ms: number) => void) | undefined
}

type WholePolicy = { [Name in keyof RetryPolicy]-?: NonNullable<RetryPolicy[Name]> }

/** A policy with defaults for omitted options. */
export const retryPolicy = ({
  attempts = 4,
  firstWaitMs = 300,
  longestWaitMs = 10_000,
  onWait = () => {},
}: RetryPolicy = {}): WholePolicy => ({ attempts, firstWaitMs, longestWaitMs, onWait })

/** Longest wait that the service has not requested, in milliseconds. */
const LONGEST_BACKOFF_MS = 10_000

/** Shortest wait after a response that requests a wait, in milliseconds. */
const LEAST_ASKED_MS = 1000

/** POST requests that have the same result if they are sent more than once. */
const REPEATABLE_POSTS: readonly string[] = [
  '/admin/catalogs/v1/{type}/uploads/report',
  '/admin/datasets/v1/search-status/',
  '/admin/workspace/v1/members',
  '/admin/workspace/v1/webhooks/{webhook_id}/enable',
  '/api/v1/auth/session',
  '/api/v1/auth/token',
  '/api/v1/auth/session/token',
  '/medical-db/v1/search/',
] satisfies JsonPath<'post'>[]

/** POST requests that change a catalog. With a key they are applied once, however often they are sent. */
export const KEYED_POSTS: readonly string[] = [
  DATASETS,
  '/admin/catalogs/v1/{type}/restore',
  '/admin/catalogs/v1/{type}/writes/{batch_id}/undo',
  '/admin/catalogs/v1/{type}/uploads/{upload_id}/write',
] satisfies JsonPath<'post'>[]

const KEY = 'Idempotency-Key'

const headerIn = (headers: Request['headers'], searchedName: string): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === searchedName.toLowerCase())?.[1]

const hasHeader = (headers: Request['headers'], name: string): boolean => headerIn(headers, name) !== undefined

/** The `Idempotency-Key` of a request; undefined if it has none. */
export const keyIn = (headers: Request['headers']): string | undefined => headerIn(headers, KEY)?.trim()

export const isDryRun = ({ query }: Request): boolean => query.dry_run === true || query.dry_run === 'true'

/** Gives a request that changes a catalog a key of its own, unless it has one. */
export function withKey(request: Request): Request {
  const { method, path, headers } = request
  if (method !== 'POST' || !KEYED_POSTS.includes(path) || isDryRun(request) || hasHeader(headers, KEY)) return request
  return { ...request, headers: { ...headers, [KEY]: crypto.randomUUID() } }
}

/** Whether a request may be retried if its outcome is unknown. */
function isSafe(request: Request): boolean {
  const { method, path, headers } = request
  // A partner token may be valid for one request only.
  if (hasHeader(headers, 'X-Auth-Token')) return false
  return method !== 'POST' || isDryRun(request) || hasHeader(headers, KEY) || REPEATABLE_POSTS.includes(path)
}

/** Statuses that reject a request before anything was done. */
const NOTHING_DONE: readonly number[] = [425, 429]

/** Statuses of faults that may be temporary (docs/sync.md); 520 to 530 are Cloudflare's. */
const isFault = (status: number): boolean =>
  [408, 500, 502, 503, 504].includes(status) || (status >= 520 && status <= 530)

/**
 * Whether another attempt may succeed: if there was no response (0), after a fault, and after a response that looks
 * like success but is not the service's.
 */
export function isTransient(error: ServiceError): boolean {
  const { status, code } = error
  if (error.isLasting) return false
  return status === 0 || isFault(status) || NOTHING_DONE.includes(status) || (code === 'unknown' && status < 400)
}

/**
 * How long to wait before a retry: a random part of a wait that doubles, in addition to the time that the service
 * requests, if it does. The random part keeps clients that failed together from returning together. If the requested
 * time is zero or in the past, the wait is still at least a second.
 *
 * @param attempt number of attempts so far
 * @returns milliseconds; undefined if the request must not be retried
 */
export function waitBeforeRetry(
  policy: WholePolicy,
  request: Request,
  error: unknown,
  attempt: number,
): number | undefined {
  if (!(error instanceof ServiceError) || attempt >= policy.attempts) return undefined
  const { status, retryAfterMs } = error
  if (!isTransient(error) || !(NOTHING_DONE.includes(status) || isSafe(request))) return undefined
  const { firstWaitMs, longestWaitMs } = policy
  const longest = typeof longestWaitMs === 'function' ? longestWaitMs() : longestWaitMs
  const backoff = Math.random() * Math.min(longest, LONGEST_BACKOFF_MS, firstWaitMs * 2 ** (attempt - 1))
  const asked = retryAfterMs === undefined ? 0 : Math.max(retryAfterMs, LEAST_ASKED_MS)
  if (asked > longest) return undefined
  policy.onWait(error, asked + backoff)
  return asked + backoff
}

/** Longest delay of a JavaScript timer, in milliseconds. A longer one fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Calls a function after a delay, which is capped at the longest delay of a timer.
 *
 * @returns a function that cancels it
 */
function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(ms, LONGEST_TIMER_MS))
  return () => clearTimeout(timer)
}

/** Resolves after a time. @throws the reason of the signal, as soon as it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = after(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

interface TimeLimit {
  signal: AbortSignal | undefined
  /** Cancels the timeout, so that it does not end later work. The caller's signal stays in effect. */
  end(): void
}

/** A signal that is aborted by the caller's signal or after a timeout. Without a timeout, it is the caller's signal. */
export function timeLimit(ms: number | undefined, signal: AbortSignal | undefined): TimeLimit {
  if (ms === undefined) return { signal, end: () => {} }
  const controller = new AbortController()
  const onTimeout = () =>
    controller.abort(new ServiceError(`The service did not respond within ${ms / 1000} seconds.`, { status: 0 }))
  const end = after(ms, onTimeout)
  return {
    signal: AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]),
    end,
  }
}
