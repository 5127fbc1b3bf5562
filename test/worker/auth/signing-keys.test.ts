import { describe, expect, it } from 'vitest'
import { importSigningKeys } from '#worker/auth/signing-keys'
import { newSigningKey } from '../../support/credentials'

describe('importSigningKeys', () => {
  it('signs with the first key and verifies with all', async () => {
    const keys = await importSigningKeys([await newSigningKey('new'), await newSigningKey('old')])
    expect(keys.signing.kid).toBe('new')
    expect([...keys.verification.keys()]).toEqual(['new', 'old'])
  })

  it('publishes no private member, and imports keys that cannot be exported', async () => {
    const key = await newSigningKey('one')
    const keys = await importSigningKeys([key])
    const { x, y } = key
    expect(keys.jwks).toEqual({
      keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'one', alg: 'ES256', use: 'sig' }],
    })
    expect(keys.signing.key.extractable).toBe(false)
  })

  it('refuses two keys with one kid', async () => {
    await expect(importSigningKeys([await newSigningKey('one'), await newSigningKey('one')])).rejects.toThrow(
      'configuration: SIGNING_KEYS is empty or has a kid twice',
    )
  })

  it('refuses an empty list', async () => {
    await expect(importSigningKeys([])).rejects.toThrow('configuration: SIGNING_KEYS')
  })

  it('refuses a key that is not a point of the curve, without repeating it', async () => {
    const key = { ...(await newSigningKey('one')), x: 'AAAA' }
    const refused = importSigningKeys([key])
    await expect(refused).rejects.toThrow('configuration: SIGNING_KEYS has a key that is not an ES256 key')
    await expect(refused).rejects.not.toThrow(key.d)
  })
})
