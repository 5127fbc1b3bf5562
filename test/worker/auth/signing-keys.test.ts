import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { importSigningKeys } from '#worker/auth/signing-keys'
import type { SigningKey } from '#worker/env'

const newKey = async (kid: string): Promise<SigningKey> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid } as SigningKey
}

describe('importSigningKeys', () => {
  it('signs with the first key and verifies with all', async () => {
    const keys = await importSigningKeys([await newKey('new'), await newKey('old')])
    expect(keys.signing.kid).toBe('new')
    expect([...keys.verification.keys()]).toEqual(['new', 'old'])
  })

  it('publishes no private member, and imports keys that cannot be exported', async () => {
    const key = await newKey('one')
    const keys = await importSigningKeys([key])
    const { x, y } = key
    expect(keys.jwks).toEqual({
      keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'one', alg: 'ES256', use: 'sig' }],
    })
    expect(keys.signing.key.extractable).toBe(false)
  })

  it('refuses two keys with one kid', async () => {
    await expect(importSigningKeys([await newKey('one'), await newKey('one')])).rejects.toThrow(
      'configuration: SIGNING_KEYS is empty or has a kid twice',
    )
  })

  it('refuses an empty list', async () => {
    await expect(importSigningKeys([])).rejects.toThrow('configuration: SIGNING_KEYS')
  })

  it('refuses a key that is not a point of the curve, without repeating it', async () => {
    const key = { ...(await newKey('one')), x: 'AAAA' }
    const refused = importSigningKeys([key])
    await expect(refused).rejects.toThrow('configuration: SIGNING_KEYS has a key that is not an ES256 key')
    await expect(refused).rejects.not.toThrow(key.d)
  })
})
