import { describe, expect, it } from 'vitest'
import { LruMap } from '#shared/lru-map'

const KEYS = ['a', 'b', 'c', 'd']

const presentIn = <Value extends {}>(map: LruMap<string, Value>): string[] =>
  KEYS.filter((key) => map.get(key) !== undefined)

describe('a map of what is remembered', () => {
  it('drops the entry that was used longest ago when it is full', () => {
    const map = new LruMap<string, string>(3)
    for (const key of ['a', 'b', 'c']) map.set(key, key)
    expect(map.get('a')).toBe('a')
    map.set('d', 'd')
    expect(presentIn(map)).toEqual(['a', 'c', 'd'])
  })

  it('drops as many entries as a larger one needs', () => {
    const map = new LruMap<string, string>(10, { sizeOf: (value) => value.length })
    for (const key of ['a', 'b', 'c']) map.set(key, 'xxx')
    map.set('d', 'xxxxxxx')
    expect(presentIn(map)).toEqual(['c', 'd'])
  })

  it('does not keep a value that is too large, nor the value that it replaces', () => {
    const map = new LruMap<string, string>(10, { sizeOf: (value) => value.length, largest: 5 })
    map.set('a', 'xxxxx')
    map.set('b', 'xxxxxx')
    expect(presentIn(map)).toEqual(['a'])
    map.set('a', 'xxxxxx')
    expect(presentIn(map)).toEqual([])
  })

  it('counts a replaced value once, and a deleted or forgotten one no more', () => {
    const map = new LruMap<string, string>(4, { sizeOf: (value) => value.length })
    for (let i = 0; i < 20; i++) map.set('a', 'xx')
    map.set('b', 'yy')
    expect(presentIn(map)).toEqual(['a', 'b'])
    map.delete('a')
    map.set('c', 'zz')
    expect(presentIn(map)).toEqual(['b', 'c'])
    map.forget((value) => value === 'yy')
    map.set('d', 'xx')
    expect(presentIn(map)).toEqual(['c', 'd'])
    map.clear()
    map.set('a', 'xxxx')
    expect(presentIn(map)).toEqual(['a'])
  })

  it('makes the value of an unknown key once, also if it is null', () => {
    const map = new LruMap<string, string | null>(2)
    let made = 0
    for (let i = 0; i < 3; i++) {
      map.obtain('a', () => {
        made++
        return null
      })
    }
    expect(made).toBe(1)
  })
})
