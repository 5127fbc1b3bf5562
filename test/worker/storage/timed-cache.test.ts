import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetCached, TimedLookup } from '#worker/storage/timed-cache'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1000 }))

describe('a lookup', () => {
  it('is cached from the time when its read began, even if nothing was found', async () => {
    for (const value of [{ name: 'one' }, null]) {
      const lookup = new TimedLookup<{ name: string }>(30_000, 10)
      let reads = 0
      const find = (now: number) => {
        vi.setSystemTime(now)
        return lookup.find('key', new Date(now), async () => {
          reads++
          vi.setSystemTime(now + 5000)
          return value
        })
      }
      expect([await find(1000), await find(30_999), reads]).toEqual([value, value, 1])
      expect([await find(31_000), reads]).toEqual([value, 2])
    }
  })

  it('without a value evicts none with a value', async () => {
    const lookup = new TimedLookup<{ name: string }>(30_000, 2)
    const find = (key: string, value: { name: string } | null) => lookup.find(key, new Date(), async () => value)
    await find('real', { name: 'one' })
    for (let n = 0; n < 10; n++) await find(`made up ${n}`, null)
    expect(await find('real', null)).toEqual({ name: 'one' })
  })

  it('is repeated after the entries of an ID were evicted, and no other one', async () => {
    const lookup = new TimedLookup<{ name: string }>(30_000, 10)
    const find = (name: string, now = name) => lookup.find(name, new Date(), async () => ({ name: now }))
    await find('one')
    await find('two')
    forgetCached('one')
    expect([await find('one', 'new'), await find('two', 'new')]).toEqual([{ name: 'new' }, { name: 'two' }])
  })
})
