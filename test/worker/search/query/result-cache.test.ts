import { expect, it } from 'vitest'
import { resultCache } from '#worker/search/query/search'

const result = (characters: number) => ({
  rows: [{ record_id: '', is_active: 1, updated_at: 0, data: 'x'.repeat(characters) }],
  approximate: 0,
})

it('results of searches are dropped by their size, the least recently used ones first', () => {
  const cache = resultCache(10_000, 5000)
  for (const key of ['a', 'b', 'c']) cache.set(key, result(2000))
  expect(cache.get('a')).toEqual(result(2000))
  cache.set('d', result(2000))
  cache.set('large', result(5000))
  expect(['a', 'b', 'c', 'd', 'large'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd'])
})
