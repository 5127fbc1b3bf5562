import { base64url, decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import { CLIENT_SCOPES, ROLE_SCOPES } from '#shared/access/caller'
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
  ...{ ...GRANT, sub: 'a-client', scope: 'catalog:read', jti: 'an-id' },
  ...{ iss: ISSUER, aud: ISSUER, iat: IAT, exp: IAT + 3600 },
}

let previous: SigningKey
let keys: SigningKeys

beforeAll(async () => {
  previous = await newSigningKey('previous')
  keys = await importSigningKeys([await newSigningKey('current'), previous])
})

interface Changes {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
}

/** A valid token with changes. Undefined properties are omitted. */
const signed = ({ header = {}, claims = {} }: Changes, key: CryptoKey = keys.signing.key): Promise<string> => {
  const wanted = (object: object) => JSON.parse(JSON.stringify(object))
  return new SignJWT(wanted({ ...GOOD_CLAIMS, ...claims }))
    .setProtectedHeader(wanted({ ...GOOD_HEADER, ...header }))
    .sign(key)
}

const encoded = (value: unknown): string => base64url.encode(JSON.stringify(value))

const verify = (token: string, now: Date = ISSUED) => verifyAccessToken(token, keys, ISSUER, now)

/** The log's reason for the rejection of a token. */
async function reasonOf(token: string, now?: Date): Promise<string | undefined> {
  const error = await verify(token, now).catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw new Error('was not refused', { cause: error })
  expect(error.code).toBe('unauthorized')
  return error.details.reason
}

it('an access token is a JWT for one hour that names client, workspace and API key', async () => {
  const token = await issueAccessToken(keys, ISSUER, { ...GRANT, scopes: CLIENT_SCOPES }, ISSUED)
  expect(decodeProtectedHeader(token)).toEqual(GOOD_HEADER)
  expect(decodeJwt(token)).toEqual({
    ...GOOD_CLAIMS,
    scope: 'catalog:read catalog:write search documents registration',
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

it('an access token of a member contains no personal data except the user ID', async () => {
  const member = { workspace_id: 'a-workspace', member_id: 'a-member', sub: 'a-user', email: 'asha@clinic.example' }
  const token = await issueAccessToken(keys, ISSUER, { ...member, scopes: ROLE_SCOPES.viewer }, ISSUED)
  const { email, ...named } = member
  expect(await verify(token)).toMatchObject({ ...named, scopes: new Set(['catalog:read', 'search']) })
  expect(Object.values(decodeJwt(token))).not.toContain(email)
})

it('an accepted token is checked again', async () => {
  const token = await signed({})
  for (const _ of ['first', 'again']) expect(await verify(token)).toMatchObject(GRANT)
  expect(await verify(token, new Date((IAT + 3600) * 1000 - 1))).toMatchObject(GRANT)
  expect(await reasonOf(token, new Date((IAT + 3600) * 1000))).toContain('ERR_JWT_EXPIRED')
  expect(await reasonOf(token, new Date((IAT - 10) * 1000))).toContain('iat in the future')
  const others = await importSigningKeys([await newSigningKey('current')])
  await expect(verifyAccessToken(token, others, ISSUER, ISSUED)).rejects.toThrow('invalid')
  await expect(verifyAccessToken(token, keys, 'https://other.test', ISSUED)).rejects.toThrow('invalid')
  expect(await verify(token)).toMatchObject(GRANT)
})

it('a token is accepted within the limits of keys and clocks', async () => {
  const older = (await importSigningKeys([previous])).signing.key
  expect(await verify(await signed({ header: { kid: 'previous' } }, older))).toMatchObject(GRANT)
  expect(await verify(await signed({ claims: { iat: IAT + 5 } }))).toMatchObject(GRANT)
  expect(await reasonOf(await signed({ claims: { iat: IAT + 6 } }))).toBe('access token: iat in the future')
})

it('unknown scopes grant nothing', async () => {
  const token = await signed({ claims: { scope: 'admin catalog:write catalog:reader  search' } })
  expect((await verify(token)).scopes).toEqual(new Set(['catalog:write', 'search']))
})

const INVALID = 'ERR_JWT_CLAIM_VALIDATION_FAILED'
const malformed = (claim: string) => `claim ${claim} missing or malformed`

it.each<[string, Changes, string]>([
  ['the type JWT', { header: { typ: 'JWT' } }, `${INVALID} typ`],
  ['an unknown kid', { header: { kid: 'other' } }, 'ERR_JWKS_NO_MATCHING_KEY'],
  ['the kid of another key', { header: { kid: 'previous' } }, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
  ['another issuer', { claims: { iss: 'https://evil.test' } }, `${INVALID} iss`],
  ['another audience', { claims: { aud: 'https://evil.test' } }, `${INVALID} aud`],
  ['an nbf to come', { claims: { nbf: IAT + 60 } }, `${INVALID} nbf`],
  ['an empty workspace_id', { claims: { workspace_id: '' } }, malformed('workspace_id')],
  ['a sub that is not the client', { claims: { sub: 'somebody' } }, malformed('sub')],
  ['a partner that is not the client', { claims: { partner_kid: 'another' } }, malformed('client_id')],
  ...Object.keys(GOOD_CLAIMS).map((claim): [string, Changes, string] => [
    `no ${claim}`,
    { claims: { [claim]: undefined } },
    ['iss', 'aud'].includes(claim) ? `${INVALID} ${claim}` : malformed(claim),
  ]),
])('a token is rejected with %s', async (_what, changes, reason) => {
  expect(await reasonOf(await signed(changes))).toContain(reason)
})

it('a token is rejected if no key of the service has signed it', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  expect(await reasonOf(await signed({}, privateKey))).toContain('SIGNATURE_VERIFICATION_FAILED')
  expect(await reasonOf(`${encoded({ ...GOOD_HEADER, alg: 'none' })}.${encoded(GOOD_CLAIMS)}.`)).toContain('ERR_JOSE')
  const secret = new TextEncoder().encode(JSON.stringify(keys.jwks.keys[0]))
  const symmetric = new SignJWT(GOOD_CLAIMS).setProtectedHeader({ ...GOOD_HEADER, alg: 'HS256' }).sign(secret)
  expect(await reasonOf(await symmetric)).toBe('access token: ERR_JOSE_ALG_NOT_ALLOWED')
  const [header, , signature] = (await signed({})).split('.')
  const changed = encoded({ ...GOOD_CLAIMS, workspace_id: 'another' })
  for (const token of [`${header}.${changed}.${signature}`, '', 'a.b.c', 'a.b.c.d.e', '🙂.🙂.🙂']) await reasonOf(token)
})
