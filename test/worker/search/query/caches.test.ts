import { describe, expect, it } from 'vitest'
import { resultCache } from '#worker/search/query/caches'

const result = (characters: number) => ({
  rows: [{ record_id: '', is_active: 1, updated_at: 0, data: 'x'.repeat(characters) }],
  approximate: 0,
})

describe('the results that are remembered', () => {
  it('are dropped when there are too many, the least recently used ones first', () => {
    const cache = resultCache(10_000, 5000)
    for (const key of ['a', 'b', 'c']) cache.set(key, result(2000))
    expect(cache.get('a')).toEqual(result(2000))
    cache.set('d', result(2000))
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true])
  })

  it('do not include one that is larger than the limit, and count a replaced one once', () => {
    const cache = resultCache(10_000, 5000)
    cache.set('a', result(2000))
    cache.set('large', result(5000))
    expect(cache.get('large')).toBeUndefined()
    for (let i = 0; i < 20; i++) cache.set('b', result(2000))
    expect(cache.get('a')).toEqual(result(2000))
  })
})
