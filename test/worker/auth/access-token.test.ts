import { base64url, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_SCOPES } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import { issueAccessToken, verifyAccessToken } from '#worker/auth/access-token'
import { importSigningKeys, type SigningKeys } from '#worker/auth/signing-keys'
import type { SigningKey } from '#worker/env'
import { newSigningKey } from '../../support/credentials'

const ISSUER = 'https://catalog.test'
const ISSUED = new Date('2026-11-20T18:00:00.900Z')
const IAT = 1795197600
const GRANT = { client_id: 'a-client', workspace_id: 'a-workspace', api_key_id: 'a-key' }

const GOOD_HEADER = { alg: 'ES256', typ: 'at+jwt', kid: 'current' }
const GOOD_CLAIMS = {
  iss: ISSUER,
  aud: ISSUER,
  sub: 'a-client',
  client_id: 'a-client',
  workspace_id: 'a-workspace',
  api_key_id: 'a-key',
  scope: 'catalog:read',
  iat: IAT,
  exp: IAT + 3600,
  jti: 'an-id',
}

let current: SigningKey
let previous: SigningKey
let keys: SigningKeys

beforeAll(async () => {
  current = await newSigningKey('current')
  previous = await newSigningKey('previous')
  keys = await importSigningKeys([current, previous])
})

interface Changes {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
}

/** A valid token with changes. Undefined members are left out. */
const signed = ({ header = {}, claims = {} }: Changes, key: CryptoKey = keys.signing.key): Promise<string> => {
  const wanted = (object: object) => JSON.parse(JSON.stringify(object))
  return new SignJWT(wanted({ ...GOOD_CLAIMS, ...claims }))
    .setProtectedHeader(wanted({ ...GOOD_HEADER, ...header }))
    .sign(key)
}

const encoded = (value: unknown): string => base64url.encode(JSON.stringify(value))

const verify = (token: string, now: Date = ISSUED) => verifyAccessToken(token, keys, ISSUER, now)

const refusalOf = async (token: string, now?: Date): Promise<ApiError> => {
  const error = await verify(token, now).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('was not refused', { cause: error })
  expect(error.code).toBe('unauthorized')
  expect(error.message).toBe(
    'The access token is missing, invalid or expired. Get a new one, and send the request again.',
  )
  return error
}

describe('issueAccessToken', () => {
  it('issues a JWT access token of one hour that names client, workspace and API key', async () => {
    const token = await issueAccessToken(keys, ISSUER, { ...GRANT, scopes: CLIENT_SCOPES }, ISSUED)
    expect(decodeProtectedHeader(token)).toEqual(GOOD_HEADER)
    expect(decodeJwt(token)).toEqual({
      ...GOOD_CLAIMS,
      scope: 'catalog:read catalog:write search documents registration',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })
})

describe('verifyAccessToken', () => {
  it('refuses a token that it has accepted before when its time is over, for other keys and for another issuer', async () => {
    const token = await signed({})
    for (const _ of ['first', 'again']) expect(await verify(token)).toMatchObject(GRANT)
    expect(await verify(token, new Date((IAT + 3600) * 1000 - 1))).toMatchObject(GRANT)
    const later = new Date((IAT + 3600) * 1000)
    expect((await refusalOf(token, later)).details.reason).toContain('ERR_JWT_EXPIRED')
    const earlier = new Date((IAT - 10) * 1000)
    expect((await refusalOf(token, earlier)).details.reason).toContain('iat in the future')
    const others = await importSigningKeys([await newSigningKey('current')])
    await expect(verifyAccessToken(token, others, ISSUER, ISSUED)).rejects.toThrow('invalid')
    await expect(verifyAccessToken(token, keys, 'https://other.test', ISSUED)).rejects.toThrow('invalid')
    expect(await verify(token)).toMatchObject(GRANT)
  })

  it('accepts a token signed with a previous key', async () => {
    const older = (await importSigningKeys([previous])).signing.key
    expect(await verify(await signed({ header: { kid: 'previous' } }, older))).toMatchObject(GRANT)
  })

  it('grants nothing for unknown scopes', async () => {
    const token = await signed({ claims: { scope: 'admin catalog:write catalog:reader  search' } })
    expect((await verify(token)).scopes).toEqual(new Set(['catalog:write', 'search']))
  })

  it('accepts a token from a machine whose clock is five seconds ahead, and no more', async () => {
    await expect(verify(await signed({ claims: { iat: IAT + 5 } }))).resolves.toMatchObject(GRANT)
    const error = await refusalOf(await signed({ claims: { iat: IAT + 6 } }))
    expect(error.details.reason).toBe('access token: iat in the future')
  })

  it.each<[string, Changes, string]>([
    ['the type JWT', { header: { typ: 'JWT' } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED typ'],
    ['no type', { header: { typ: undefined } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED typ'],
    ['no kid', { header: { kid: undefined } }, 'ERR_JWKS_NO_MATCHING_KEY'],
    ['an unknown kid', { header: { kid: 'other' } }, 'ERR_JWKS_NO_MATCHING_KEY'],
    ['the kid of another key', { header: { kid: 'previous' } }, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['another issuer', { claims: { iss: 'https://evil.test' } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED iss'],
    ['another audience', { claims: { aud: 'https://evil.test' } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED aud'],
    ['a list of audiences', { claims: { aud: [ISSUER] } }, 'claim aud missing or malformed'],
    ['an exp that is text', { claims: { exp: `${IAT + 3600}` } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED exp'],
    ['a fractional iat', { claims: { iat: IAT - 0.5 } }, 'claim iat missing or malformed'],
    ['an nbf to come', { claims: { nbf: IAT + 60 } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED nbf'],
    ['an empty workspace_id', { claims: { workspace_id: '' } }, 'claim workspace_id missing or malformed'],
    ['a scope that is a list', { claims: { scope: ['catalog:read'] } }, 'claim scope missing or malformed'],
    ['a sub that is not the client', { claims: { sub: 'somebody' } }, 'claim sub missing or malformed'],
    ...Object.keys(GOOD_CLAIMS).map((claim): [string, Changes, string] => [
      `no ${claim}`,
      { claims: { [claim]: undefined } },
      claim === 'iss' || claim === 'aud'
        ? `ERR_JWT_CLAIM_VALIDATION_FAILED ${claim}`
        : `claim ${claim} missing or malformed`,
    ]),
  ])('refuses a token with %s', async (_what, changes, reason) => {
    const error = await refusalOf(await signed(changes))
    expect(error.details.reason).toContain(reason)
  })

  it('refuses what no key of the service has signed: a foreign key, none, its public key as a secret, a changed part', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    await refusalOf(await signed({ header: { jwk: await exportJWK(publicKey) } }, privateKey))
    await refusalOf(`${encoded({ ...GOOD_HEADER, alg: 'none' })}.${encoded(GOOD_CLAIMS)}.`)
    const secret = new TextEncoder().encode(JSON.stringify(keys.jwks.keys[0]))
    const symmetric = new SignJWT(GOOD_CLAIMS).setProtectedHeader({ ...GOOD_HEADER, alg: 'HS256' }).sign(secret)
    expect((await refusalOf(await symmetric)).details.reason).toBe('access token: ERR_JOSE_ALG_NOT_ALLOWED')
    const [header, payload, signature] = (await signed({})).split('.')
    await refusalOf(`${header}.${encoded({ ...GOOD_CLAIMS, workspace_id: 'another' })}.${signature}`)
    await refusalOf(`${encoded({ ...GOOD_HEADER, extra: 1 })}.${payload}.${signature}`)
    await refusalOf(`${header}.${payload}.${base64url.encode(new Uint8Array(64))}`)
  })

  it('refuses a text that is no JWT', async () => {
    for (const text of ['', '.', 'a.b', 'a.b.c', 'a.b.c.d.e', `${'x'.repeat(5000)}.y.z`, '🙂.🙂.🙂', '%00.%00.%00'])
      await refusalOf(text)
  })
})
