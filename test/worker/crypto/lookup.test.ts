import { base64url } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { importLookupKey, lookupHashes } from '#worker/crypto/lookup'

const newKey = (): Promise<CryptoKey> =>
  importLookupKey(base64url.encode(crypto.getRandomValues(new Uint8Array(32))))

const CONTEXT = 'a_table/a-row'

let [older, newer]: CryptoKey[] = []

beforeAll(async () => {
  ;[older, newer] = [await newKey(), await newKey()]
})

describe('lookupHashes', () => {
  it('gives one hash for each key, in their order', async () => {
    const [old] = await lookupHashes([older!], CONTEXT, 'a number')
    const hashes = await lookupHashes([newer!, older!], CONTEXT, 'a number')
    expect(hashes).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), old])
    expect(hashes[0]).not.toBe(old)
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
    const hashes = await Promise.all(pairs.map(([context, text]) => lookupHashes([older!], context, text)))
    expect(new Set(hashes.map(([hash]) => hash)).size).toBe(pairs.length)
  })

  it('uses keys that cannot be read out again', () => {
    expect(older!.extractable).toBe(false)
  })
})
