import { base64url } from 'jose'
import { expect, it } from 'vitest'
import { equalInConstantTime, importLookupKey, lookupHash } from '#worker/crypto/hash'
import { randomAlphanumeric } from '#worker/crypto/random'

it('equalInConstantTime compares secrets of any length', async () => {
  for (const [other, equal] of [
    ['secret', true],
    ['secreT', false],
    ['secret ', false],
    ['', false],
  ] as const)
    expect(await equalInConstantTime('secret', other), other).toBe(equal)
})

it('a lookup hash is equal only for equal texts in one context with one key, which cannot be extracted', async () => {
  const newKey = () => importLookupKey(base64url.encode(crypto.getRandomValues(new Uint8Array(32))))
  const key = await newKey()
  expect(key.extractable).toBe(false)
  const hash = await lookupHash(key, 'a', 'b')
  expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await lookupHash(key, 'a', 'b')).toBe(hash)
  expect(await lookupHash(await newKey(), 'a', 'b')).not.toBe(hash)
  // The boundary between context and text also matters.
  for (const [context, text] of [
    ['a', 'c'],
    ['c', 'b'],
    ['ab', ''],
    ['', 'ab'],
    ['a","b', ''],
  ] as const)
    expect(await lookupHash(key, context, text)).not.toBe(hash)
})

it('randomAlphanumeric has no bias among the 62 letters and digits', () => {
  const drawn = Array.from({ length: 62 }, () => randomAlphanumeric(1000)).join('')
  const counts = Map.groupBy(drawn, (character) => character)
  expect(counts.size).toBe(62)
  // At least six standard deviations around the mean of 1000. Taking a byte modulo 62 would give eight of them 1210.
  for (const { length } of counts.values()) expect(Math.abs(length - 1000)).toBeLessThan(200)
})
