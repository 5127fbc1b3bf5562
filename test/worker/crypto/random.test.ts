import { base64url } from 'jose'
import { expect, it } from 'vitest'
import { randomAlphanumeric, randomId, randomSecret } from '#worker/crypto/random'

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
  const counts = new Map<string, number>()
  for (const character of drawn) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // Six and more standard deviations around the mean of 1000; taking a byte modulo 62 would give eight of them 1210.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
})
