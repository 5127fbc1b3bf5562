import { base64url, compactDecrypt, decodeProtectedHeader, flattenedDecrypt, jwtDecrypt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openPartnerToken } from '#worker/auth/partner/token'
import { sha256Hex } from '#worker/crypto/hash'
import bodies from '../../../samples/partner/encrypted_bodies.py?raw'
import tokens from '../../../samples/partner/partner_token.py?raw'
import made from '../../vectors/partner-guide/python.json'

const source = tokens + bodies
const secret = base64url.decode(made.secret)

/** The time at which the guide's Python made the token, in milliseconds. */
async function madeAt(): Promise<number> {
  const { payload } = await jwtDecrypt(made.token, secret, { currentDate: new Date(0) })
  return payload.iat! * 1000
}

describe('the Python of the partner guide', () => {
  it('is the code that made the vectors: run test/vectors/partner-guide/make.py if this fails', async () => {
    expect(await sha256Hex(source)).toBe(made.source_sha256)
  })

  it('makes a partner token that is accepted', async () => {
    const key = await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['decrypt'])
    const findCredential = async (kid: string) => (kid === made.kid ? { issuer: made.issuer, key } : null)
    const expected = { audience: made.audience, findCredential }
    const { claims } = await openPartnerToken(made.token, expected, new Date(await madeAt()))
    expect(claims.sub).toBe(made.payload.mobile_number)
    const { protectedHeader } = await compactDecrypt(made.token, secret)
    expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM', kid: made.kid })
  })

  it('makes an encrypted body that can be decrypted', async () => {
    const { kid, ...jwe } = JSON.parse(made.body)
    expect(kid).toBe(made.kid)
    expect(decodeProtectedHeader(jwe)).toEqual({ alg: 'dir', enc: 'A128CBC-HS256' })
    const { plaintext } = await flattenedDecrypt(jwe, new TextEncoder().encode(made.shared_key.repeat(2)))
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(made.payload)
  })
})
