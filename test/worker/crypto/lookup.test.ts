import { base64url } from 'jose'
import { expect, it } from 'vitest'
import { importLookupKey, lookupHash } from '#worker/crypto/hash'

const newKey = (): Promise<CryptoKey> => importLookupKey(base64url.encode(crypto.getRandomValues(new Uint8Array(32))))

it('a lookup hash is the same for equal texts in one context under one key alone, which cannot be read out', async () => {
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
