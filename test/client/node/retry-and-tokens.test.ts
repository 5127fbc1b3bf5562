import { expect, it, onTestFinished, vi } from 'vitest'
import type { Request } from '#client/request'
import { type RetryPolicy, retryPolicy, sleep, waitBeforeRetry } from '#client/retry'
import { errorOf, ServiceError } from '#client/service-error'
import { type GrantedToken, RenewedToken } from '#client/token-source'

const READ: Request = {
  ...{ method: 'GET', path: '/health', address: '/health', headers: {}, query: {} },
  ...{ content: null, signal: undefined, onProgress: undefined, records: undefined },
}
const FAULT = new ServiceError('down', { status: 500 })

/** The longest waits before the second, the third and later attempts. */
function longestWaits(policy: RetryPolicy): (number | undefined)[] {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => waitBeforeRetry(retryPolicy(policy), READ, FAULT, attempt))
  random.mockRestore()
  return waits
}

it("the wait before an attempt doubles, up to 10 seconds or the caller's maximum", () => {
  const waits = [300, 600, 1200, 2400, 4800, 9600, 10_000]
  expect(longestWaits({ attempts: 9, longestWaitMs: 60_000 })).toEqual(waits)
  expect(longestWaits({ attempts: 4, longestWaitMs: 500 }).slice(0, 4)).toEqual([300, 500, 500, undefined])
})

it('a wait is a random fraction of the longest one', () => {
  const waits = Array.from({ length: 50 }, () => waitBeforeRetry(retryPolicy(), READ, FAULT, 1) ?? -1)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...waits)).toBeLessThanOrEqual(300)
  expect(new Set(waits).size).toBeGreaterThan(1)
})

const SERVED = Date.parse('2030-01-01T00:00:00Z')
const inSeconds = (seconds: number) => new Date(SERVED + seconds * 1000).toUTCString()

it.each([
  ['7', 7000],
  ['0', 0],
  [inSeconds(60), 60_000],
  [inSeconds(-60), 0],
  ['-1', 0],
  ['1e-9', 0],
  ['soon', 0],
])(
  'Retry-After may contain seconds, or a date by the clock of the service, and anything else asks for some wait: %s',
  async (header, expected) => {
    const headers = { 'Retry-After': header, Date: new Date(SERVED).toUTCString() }
    const { retryAfterMs } = await errorOf(new Response('', { status: 503, headers }))
    expect(retryAfterMs).toBe(expected)
  },
)

it('without a requested wait, the next attempt follows after a second at the earliest', () => {
  const waitsAfter = (retryAfterMs: number) => {
    const busy = new ServiceError('busy', { status: 503, retryAfterMs })
    return [1, 4, 7].map((attempt) => waitBeforeRetry(retryPolicy({ attempts: 9 }), READ, busy, attempt))
  }
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  expect(waitsAfter(0)).toEqual([1000, 1000, 1000])
  random.mockReturnValue(1)
  expect([waitsAfter(0), waitsAfter(5000)]).toEqual([
    [1300, 3400, 11_000],
    [5300, 7400, 15_000],
  ])
  random.mockRestore()
})

it('a wait that exceeds the longest timer does not end immediately', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isOver = false
  void sleep(2 ** 31, undefined).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isOver).toBe(false)
})

/** A token source with numbered tokens that expire after 100 seconds. */
function numbered() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let granted = 0
  const obtain = async (): Promise<GrantedToken> => {
    const number = ++granted
    await new Promise((resolve) => setTimeout(resolve, 10))
    return { access_token: `token-${number}`, expires_in: 100 }
  }
  const source = new RenewedToken(obtain)
  const afterGrant = async <T>(token: Promise<T>): Promise<T> => {
    await vi.advanceTimersByTimeAsync(10)
    return token
  }
  return { source, afterGrant }
}

it('a token is used for four fifths of its lifetime', async () => {
  const { source, afterGrant } = numbered()
  expect(await afterGrant(source.token())).toBe('token-1')
  vi.advanceTimersByTime(79_999)
  expect(await source.token()).toBe('token-1')
  vi.advanceTimersByTime(1)
  expect(await afterGrant(source.token())).toBe('token-2')
})

it('simultaneous calls share a new token, and a call whose token is rejected late uses it, too', async () => {
  const { source, afterGrant } = numbered()
  await afterGrant(source.token())
  const renewals = ['token-1', 'token-1'].map((refused) => source.renew(refused))
  expect(await afterGrant(Promise.all(renewals))).toEqual(['token-2', 'token-2'])
  expect(await source.renew('token-1')).toBe('token-2')
})

it('a token is requested again after a failure', async () => {
  let calls = 0
  const source = new RenewedToken(async () => {
    if (++calls === 1) throw new Error('no')
    return { access_token: 'token', expires_in: 100 }
  })
  await expect(source.token()).rejects.toThrow('no')
  expect(await source.token()).toBe('token')
})
