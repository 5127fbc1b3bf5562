import { describe, expect, it } from 'vitest'
import { TimedCache } from '#worker/storage/timed-cache'

const at = (seconds: number): Date => new Date(seconds * 1000)

describe('TimedCache', () => {
  it('returns an entry until its lifetime is over', () => {
    const cache = new TimedCache<string>(30_000, 10)
    cache.set('key', 'value', at(0))
    expect(cache.get('key', at(29.999))).toBe('value')
    expect(cache.get('key', at(30))).toBeUndefined()
  })

  it('ignores an entry from the future, for example after a clock was set back', () => {
    const cache = new TimedCache<string>(30_000, 10)
    cache.set('key', 'value', at(100))
    expect(cache.get('key', at(99))).toBeUndefined()
  })

  it('forgets the entries that match, and only those', () => {
    const cache = new TimedCache<string>(30_000, 10)
    cache.set('a', 'one', at(0))
    cache.set('b', 'two', at(0))
    cache.forget((value) => value === 'one')
    expect(cache.get('a', at(0))).toBeUndefined()
    expect(cache.get('b', at(0))).toBe('two')
  })
})
