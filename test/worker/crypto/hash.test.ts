import { base64url } from 'jose'
import { expect, it } from 'vitest'
import { equalInConstantTime, importLookupKey, lookupHash, sha256Hex } from '#worker/crypto/hash'
import { randomAlphanumeric, randomId, randomSecret } from '#worker/crypto/random'

it('sha256Hex gives the digest of FIPS 180-4 for UTF-8', async () => {
  expect(await sha256Hex('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c')
})

it('equalInConstantTime compares secrets of any length', async () => {
  for (const [other, equal] of [
    ['secret', true],
    ['secreT', false],
    ['secret ', false],
    ['', false],
  ] as const)
    expect(await equalInConstantTime('secret', other), other).toBe(equal)
})

it('a lookup hash is the same for equal texts in one context under one key alone, which cannot be read out', async () => {
  const newKey = () => importLookupKey(base64url.encode(crypto.getRandomValues(new Uint8Array(32))))
  const key = await newKey()
  expect(key.extractable).toBe(false)
  const hash = await lookupHash(key, 'a', 'b')
  expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await lookupHash(key, 'a', 'b')).toBe(hash)
  expect(await lookupHash(await newKey(), 'a', 'b')).not.toBe(hash)
  // The border between context and text counts too.
  for (const [context, text] of [
    ['a', 'c'],
    ['c', 'b'],
    ['ab', ''],
    ['', 'ab'],
    ['a","b', ''],
  ] as const)
    expect(await lookupHash(key, context, text)).not.toBe(hash)
})

it('secrets have 256 bits after their prefix, ids 128, and both differ every time', () => {
  for (const [make, prefix, bytes] of [
    [randomSecret, 'dcs_key_', 32],
    [randomId, 'ws_', 16],
  ] as const) {
    const made = Array.from({ length: 100 }, () => make(prefix))
    for (const text of made) {
      expect(text.startsWith(prefix)).toBe(true)
      expect(base64url.decode(text.slice(prefix.length))).toHaveLength(bytes)
    }
    expect(new Set(made).size).toBe(100)
  }
})

it('randomAlphanumeric prefers none of the 62 letters and digits', () => {
  const drawn = Array.from({ length: 62 }, () => randomAlphanumeric(1000)).join('')
  const counts = Map.groupBy(drawn, (character) => character)
  expect(counts.size).toBe(62)
  // Six and more standard deviations around the mean of 1000; taking a byte modulo 62 would give eight of them 1210.
  for (const { length } of counts.values()) expect(Math.abs(length - 1000)).toBeLessThan(200)
})
