import { expect, it, vi } from 'vitest'
import type { Request } from '#client/request'
import { type RetryPolicy, retryPolicy, waitBeforeRetry } from '#client/retry'
import { errorOf, ServiceError } from '#client/service-error'

const READ: Request = {
  ...{ method: 'GET', path: '/health', address: '/health', headers: {}, query: {} },
  ...{ content: null, signal: undefined, onProgress: undefined },
}
const FAULT = new ServiceError('down', { status: 500 })

/** The longest waits before the second, the third and the later attempts. */
function longestWaits(policy: RetryPolicy): (number | undefined)[] {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => waitBeforeRetry(retryPolicy(policy), READ, FAULT, attempt))
  random.mockRestore()
  return waits
}

it('the wait before an attempt doubles, to 10 seconds or to the longest of the caller', () => {
  const waits = [300, 600, 1200, 2400, 4800, 9600, 10_000]
  expect(longestWaits({ attempts: 9, longestWaitMs: 60_000 })).toEqual(waits)
  expect(longestWaits({ attempts: 4, longestWaitMs: 500 }).slice(0, 4)).toEqual([300, 500, 500, undefined])
})

it('a wait is a random part of the longest one', () => {
  const waits = Array.from({ length: 50 }, () => waitBeforeRetry(retryPolicy(), READ, FAULT, 1) ?? -1)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...waits)).toBeLessThanOrEqual(300)
  expect(new Set(waits).size).toBeGreaterThan(1)
})

it.each([
  ['7', 7000],
  [new Date(Date.now() + 60_000).toUTCString(), 60_000],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ['soon', undefined],
])('Retry-After may be seconds or a date: %s', async (header, expected) => {
  const { retryAfterMs } = await errorOf(new Response('', { status: 503, headers: { 'Retry-After': header } }))
  // A date has no parts of a second.
  if (expected === undefined) expect(retryAfterMs).toBeUndefined()
  else expect(Math.abs(retryAfterMs! - expected)).toBeLessThan(5000)
})
