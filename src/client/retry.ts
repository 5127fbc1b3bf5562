import { DATASETS, type JsonPath } from '#client/api'
import type { Request } from '#client/request'
import { ServiceError } from '#client/service-error'

export interface RetryPolicy {
  /** How often a request is sent at most: 4. With 1 it is never sent again. */
  attempts?: number | undefined
  /**
   * Longest wait before the second attempt, in milliseconds: 300. It doubles before each further attempt, to 10
   * seconds.
   */
  firstWaitMs?: number | undefined
  /**
   * Longest wait of all, in milliseconds: 10,000. When the service asks for a longer one, its error is thrown at once.
   * A function is called before each wait, for a caller whose time is limited.
   */
  longestWaitMs?: number | (() => number) | undefined
  /** Called before each wait, with what it is for and its milliseconds. */
  onWait?: ((error: ServiceError, ms: number) => void) | undefined
}

type WholePolicy = { [Name in keyof RetryPolicy]-?: NonNullable<RetryPolicy[Name]> }

/** A policy with the defaults for what it does not say. */
export const retryPolicy = ({
  attempts = 4,
  firstWaitMs = 300,
  longestWaitMs = 10_000,
  onWait = () => {},
}: RetryPolicy = {}): WholePolicy => ({ attempts, firstWaitMs, longestWaitMs, onWait })

/** Longest wait that the service has not asked for, in milliseconds. */
const LONGEST_BACKOFF_MS = 10_000

/** Shortest wait after an answer that asks for one, in milliseconds. */
const LEAST_ASKED_MS = 1000

/** Calls by POST that have the same result when they are sent more than once. */
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

/** Calls by POST that change a catalog. With a key they are carried out once, however often they are sent. */
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

/** Whether a request may be sent again when its outcome is unknown. */
function isSafe(request: Request): boolean {
  const { method, path, headers } = request
  // A partner token may be valid for one request only.
  if (hasHeader(headers, 'X-Auth-Token')) return false
  return method !== 'POST' || isDryRun(request) || hasHeader(headers, KEY) || REPEATABLE_POSTS.includes(path)
}

/** Statuses of a refusal before anything was done. */
const NOTHING_DONE: readonly number[] = [425, 429]

/** Statuses of faults that may be over soon (docs/sync.md); 520 to 530 are Cloudflare's. */
const isFault = (status: number): boolean =>
  [408, 500, 502, 503, 504].includes(status) || (status >= 520 && status <= 530)

/**
 * Whether another attempt may succeed: without an answer (0), after a fault, and after an answer of something else than
 * the service that looks like success.
 */
export function isTransient(error: ServiceError): boolean {
  const { status, code } = error
  if (error.isLasting) return false
  return status === 0 || isFault(status) || NOTHING_DONE.includes(status) || (code === 'unknown' && status < 400)
}

/**
 * How long to wait before a request is sent again: a random part of a wait that doubles, after the time that the
 * service asks for, if it does. The random part keeps clients that failed together from returning together. A service
 * that asks for no time at all, or for one that is over, is still not asked again within a second.
 *
 * @param attempt how often it has been sent
 * @returns milliseconds; undefined when it must not be sent again
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

/** A longer timer of JavaScript ends at once, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Calls a function later; a time that no timer can hold ends with the longest one. @returns what cancels it */
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
  /** Forgets the time, so that it does not end what comes later. The caller's signal still does. */
  end(): void
}

/** A signal that is aborted with the caller's own or after a time. Without a time it is the caller's own. */
export function timeLimit(ms: number | undefined, signal: AbortSignal | undefined): TimeLimit {
  if (ms === undefined) return { signal, end: () => {} }
  const controller = new AbortController()
  const onTimeout = () =>
    controller.abort(new ServiceError(`The service has not answered within ${ms / 1000} seconds.`, { status: 0 }))
  const end = after(ms, onTimeout)
  return {
    signal: AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]),
    end,
  }
}
