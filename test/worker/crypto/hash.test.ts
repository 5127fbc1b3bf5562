import { expect, it } from 'vitest'
import { equalInConstantTime, sha256Hex } from '#worker/crypto/hash'

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['é', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
])('sha256Hex gives the digest of FIPS 180-4 for the UTF-8 of %j', async (text, digest) => {
  expect(await sha256Hex(text)).toBe(digest)
})

it.each([
  ['secret', true],
  ['secreT', false],
  ['secret ', false],
  ['', false],
])('equalInConstantTime compares secrets of any length: %j', async (other, equal) => {
  expect(await equalInConstantTime('secret', other)).toBe(equal)
})
