import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { randomId, randomSecret } from '../../src/crypto/random'

describe('randomSecret', () => {
  it('has 256 bits after its prefix', () => {
    const secret = randomSecret('dcs_key_')
    expect(secret).toMatch(/^dcs_key_[A-Za-z0-9_-]{43}$/)
    expect(base64url.decode(secret.slice('dcs_key_'.length))).toHaveLength(32)
  })

  it('is another one every time', () => {
    expect(new Set(Array.from({ length: 100 }, () => randomSecret(''))).size).toBe(100)
  })
})

describe('randomId', () => {
  it('has 128 bits after its prefix and is an acceptable workspace id', () => {
    const id = randomId('ws_')
    expect(base64url.decode(id.slice(3))).toHaveLength(16)
    expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  })
})
