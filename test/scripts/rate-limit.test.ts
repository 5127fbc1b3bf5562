import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rateLimit } from '../../scripts/local/bindings.mjs'

beforeEach(() => {
  vi.useFakeTimers({ now: 60_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a rate limit of npm start', () => {
  it('admits so many requests of a key in a period, and as many of another one', async () => {
    const rate = rateLimit({ limit: 2, period: 60 })
    const admitted = []
    for (const key of ['a', 'a', 'a', 'b', 'a', 'b', 'b']) admitted.push((await rate.limit({ key })).success)
    expect(admitted).toEqual([true, true, false, true, false, true, false])
  })

  it('begins anew with each period', async () => {
    const rate = rateLimit({ limit: 1, period: 60 })
    await rate.limit({ key: 'a' })
    vi.setSystemTime(119_999)
    await expect(rate.limit({ key: 'a' })).resolves.toEqual({ success: false })
    vi.setSystemTime(120_000)
    await expect(rate.limit({ key: 'a' })).resolves.toEqual({ success: true })
  })
})
