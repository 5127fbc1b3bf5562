import { expect, it } from 'vitest'
import { DIGEST_CHARACTERS, digestOf } from '#shared/text/digest'

it('the digests of texts differ if these differ in one character, in their order, or in trailing zeros', () => {
  const texts = [
    ...Array.from({ length: 20_000 }, (_, n) => `["Aspirin ${n} mg",0,0,"${n}"]`),
    ...Array.from({ length: 40 }, (_, n) => `a${'\0'.repeat(n)}`),
    ...Array.from({ length: 40 }, (_, n) => `${'x'.repeat(n)}y${'x'.repeat(39 - n)}`),
    ...['ab', 'ba', 'é', 'e\u0301', '\u0100', '\u0001', '\u0001\0'],
  ]
  const digests = texts.map(digestOf)
  expect(new Set(digests).size).toBe(texts.length)
  expect(digests.every((digest) => /^[\w-]+$/.test(digest) && digest.length === DIGEST_CHARACTERS)).toBe(true)
})

it('each letter of a digest has all possible values', () => {
  const digests = Array.from({ length: 4000 }, (_, n) => digestOf(`["record ${n}"]`))
  for (let place = 0; place < DIGEST_CHARACTERS; place++) {
    // In each group of six letters, the last one represents two bits.
    const letters = new Set(digests.map((digest) => digest[place]))
    expect(letters.size, String(place)).toBe(place % 6 === 5 ? 4 : 64)
  }
})
