import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { randomAlphanumeric, randomId, randomSecret } from '#worker/crypto/random'

describe('randomSecret', () => {
  it('has 256 bits after its prefix', () => {
    const secret = randomSecret('dcs_key_')
    expect(secret).toMatch(/^dcs_key_[A-Za-z0-9_-]{43}$/)
    expect(base64url.decode(secret.slice('dcs_key_'.length))).toHaveLength(32)
  })

  it('differs every time', () => {
    expect(new Set(Array.from({ length: 100 }, () => randomSecret(''))).size).toBe(100)
  })
})

it('randomId has 128 bits after its prefix and is an acceptable workspace id', () => {
  const id = randomId('ws_')
  expect(base64url.decode(id.slice(3))).toHaveLength(16)
  expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
})

describe('randomAlphanumeric', () => {
  it('has the requested number of letters and digits', () => {
    for (const length of [0, 1, 16, 100]) {
      expect(randomAlphanumeric(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`))
    }
  })

  it('prefers none of the 62 characters', () => {
    const drawn = Array.from({ length: 62 }, () => randomAlphanumeric(1000)).join('')
    const counts = new Map<string, number>()
    for (const character of drawn) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // Six and more standard deviations around the mean of 1000; taking a byte modulo 62 would give eight of them 1210.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  })
})
