import { base64url } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { importLookupKey, lookupHash } from '#worker/crypto/hash'

const newKey = (): Promise<CryptoKey> => importLookupKey(base64url.encode(crypto.getRandomValues(new Uint8Array(32))))

const CONTEXT = 'a_table/a-row'

let key: CryptoKey

beforeAll(async () => {
  key = await newKey()
})

describe('lookupHash', () => {
  it('is the same for equal texts under one key, and another one under another key', async () => {
    const hash = await lookupHash(key, CONTEXT, 'a number')
    expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await lookupHash(key, CONTEXT, 'a number')).toBe(hash)
    expect(await lookupHash(await newKey(), CONTEXT, 'a number')).not.toBe(hash)
  })

  it('differs by text, by context and by the border between them', async () => {
    const pairs = [
      ['a', 'b'],
      ['a', 'c'],
      ['c', 'b'],
      ['ab', ''],
      ['', 'ab'],
      ['a","b', ''],
    ] as const
    const hashes = await Promise.all(pairs.map(([context, text]) => lookupHash(key, context, text)))
    expect(new Set(hashes).size).toBe(pairs.length)
  })

  it('uses a key that cannot be read out again', () => {
    expect(key.extractable).toBe(false)
  })
})
