import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { apiErrorOf } from '#shared/errors/errors'
import { openPartnerToken } from '#worker/auth/partner/token'
import made from '../../../vectors/partner-tokens.json'
import { withStrayBit } from '../../encryption/support'

const [partner, other] = made.credentials as [(typeof made.credentials)[0], (typeof made.credentials)[0]]

/** 2026-11-20T18:00:00Z */
const NOW = 1795197600
const HEADER = { alg: 'dir', enc: 'A256GCM', kid: partner.kid }
const CLAIMS = {
  ...{ iss: partner.issuer, aud: made.audience, sub: '+910000000000', iat: NOW, exp: NOW + 300 },
  jti: 'b1f0c6de-0000-4000-8000-000000000001',
}

type Claims = object | string | Uint8Array<ArrayBuffer>

const claimsWith = (changes: object): string => JSON.stringify({ ...CLAIMS, ...changes })

const importKey = (secret: string, usage: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', base64url.decode(secret), 'AES-GCM', false, [usage])

/**
 * The parts of a compact JWE (RFC 7516, section 5.1), with any header, unlike libraries.
 *
 * @param claims changes of the valid claims, or their text or bytes
 */
async function partsOf(claims: Claims = {}, header: unknown = HEADER, { secret = partner.secret, ivBytes = 12 } = {}) {
  const protectedHeader = base64url.encode(typeof header === 'string' ? header : JSON.stringify(header))
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const algorithm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(protectedHeader) }
  const text = typeof claims === 'string' ? claims : claimsWith(claims)
  const bytes = claims instanceof Uint8Array ? claims : new TextEncoder().encode(text)
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, await importKey(secret, 'encrypt'), bytes))
  return { header: protectedHeader, key: '', iv, ciphertext: sealed.subarray(0, -16), tag: sealed.subarray(-16) }
}

const joined = (parts: Record<string, Uint8Array | string>): string =>
  ['header', 'key', 'iv', 'ciphertext', 'tag'].map((name) => encodedPart(parts[name]!)).join('.')

const encodedPart = (part: Uint8Array | string): string => (typeof part === 'string' ? part : base64url.encode(part))

const sealed = async (...how: Parameters<typeof partsOf>): Promise<string> => joined(await partsOf(...how))

async function findCredential(kid: string) {
  const found = made.credentials.find((credential) => credential.kid === kid)
  return found ? { kid, issuer: found.issuer, key: await importKey(found.secret, 'decrypt') } : null
}

const open = (token: string, now = NOW) =>
  openPartnerToken(token, { audience: made.audience, findCredential }, new Date(now * 1000))

async function expectAccepted(token: string, claims: string, now = NOW): Promise<void> {
  const { sub, iat, exp, jti } = JSON.parse(claims)
  expect(await open(token, now)).toMatchObject({
    credential: { kid: 'partner-1' },
    claims: { sub, iat, exp, ...(jti ? { jti } : {}) },
  })
}

/** @param check the log's name of the failed check */
async function expectRefused(token: string, check: string, now?: number): Promise<void> {
  const error = await open(token, now).catch((thrown: unknown) => thrown)
  expect(apiErrorOf(error)?.details.reason).toBe(`partner token: ${check}`)
}

describe('a partner token is accepted', () => {
  it.each(made.vectors)('from $made_by: $name', ({ token, claims, now }) => expectAccepted(token, claims, now))

  it.each<[string, object | string, number?]>([
    ['without a jti', { jti: undefined }],
    ['with a claim that is not known, twice within', `{"extra":{"a":1,"a":2},${claimsWith({}).slice(1)}`],
    ['with a jti of 255 characters beyond the basic plane', { jti: '🙂'.repeat(255) }],
    ['60 seconds after exp, less one', { iat: NOW - 300, exp: NOW - 59 }],
    ['in the last second', {}, NOW + 359],
    ['with iat 60 seconds ahead', { iat: NOW + 60 }],
    ['with nbf 60 seconds ahead', { nbf: NOW + 60 }],
    ['with a lifetime of 960 seconds', { exp: NOW + 960 }],
  ])('%s', async (_, changes, now) => {
    const claims = typeof changes === 'string' ? changes : claimsWith(changes)
    await expectAccepted(await sealed(claims), claims, now)
  })
})

const NO_OBJECT = 'not an object with each member once'

type Case<T> = [error: string, value: T, now?: number]

/** Cases with one error. */
const all = <T>(error: string, values: readonly T[]): Case<T>[] => values.map((value) => [error, value])

/** Cases of properties, each with wrong values. */
const members = (kind: string, wrong: Record<string, unknown[]>): Case<object>[] =>
  Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value): Case<object> => [`${kind}: ${name}`, { [name]: value }]),
  )

describe('a partner token is rejected for its claims', () => {
  const whole = claimsWith({})
  const latin1 = Uint8Array.from(claimsWith({ sub: 'é' }), (character) => character.charCodeAt(0))
  const wrong = {
    iss: [undefined, null, [CLAIMS.iss], other.issuer, `${CLAIMS.iss}/`, CLAIMS.iss.toUpperCase()],
    aud: [undefined, null, [], [CLAIMS.aud, 'https://elsewhere.example'], `${CLAIMS.aud}/`],
    sub: [undefined, null, [CLAIMS.sub], '', 910000000000],
    mobile_number: [910000000000, null],
    iat: [undefined, null, String(NOW), NOW - 0.5],
    exp: [undefined, null, String(NOW + 300), NOW + 300.5],
    nbf: ['now', null],
    jti: ['x'.repeat(256), '', null, 7, ['x']],
  }

  it.each<Case<Claims>>([
    ...members('claims', wrong),
    ['claims: sub', whole.replace('+910', '\\ud800')],
    ['claims: exp', whole.replace(String(NOW + 300), '1e999')],
    ...all(`claims: ${NO_OBJECT}`, [
      whole.replace(/}$/, `,"jti":"${CLAIMS.jti}"}`),
      `{"\\u0069ss":"https://evil.test",${whole.slice(1)}`,
      ...['', 'null', '"text"', '{', `[${whole}]`, `${whole}x`, `\ufeff${whole}`],
      latin1,
    ]),
    ['window: issued in the future', { iat: NOW + 61 }],
    ['window: not valid yet', { nbf: NOW + 61 }],
    ['window: expired', { iat: NOW - 300, exp: NOW - 60 }],
    ['window: expired', {}, NOW + 360],
    ['window: expires before it is issued', { iat: NOW + 30, exp: NOW - 30 }],
    ['window: too long', { exp: NOW + 961 }],
  ])('%s: %j', async (error, changes, now) => expectRefused(await sealed(changes), error, now))
})

describe('a partner token is rejected for its header', () => {
  const whole = JSON.stringify(HEADER)
  const wrong = {
    alg: ['A256KW', 'RSA-OAEP-256', 'ECDH-ES', 'PBES2-HS256+A128KW', 'none', 'DIR', null, ['dir'], undefined],
    enc: ['A128GCM', 'A256CBC-HS512', 'a256gcm', null, undefined],
    kid: ['', 7, null, ['partner-1'], 'partner 1', 'x'.repeat(65), undefined],
    zip: [null, 'DEF'],
    crit: [[], ['exp']],
  }

  it.each<Case<unknown>>([
    ...members('header', wrong).map(([error, change]): Case<unknown> => [error, { ...HEADER, exp: 1, ...change }]),
    ...all<unknown>(`header: ${NO_OBJECT}`, [
      whole.replace(/}$/, `,"kid":"${partner.kid}"}`),
      ...['', 'null', '[]', '{', `\ufeff${whole}`],
    ]),
    ['key: unknown or revoked', { ...HEADER, kid: 'partner-9' }],
    ['decryption', { ...HEADER, kid: other.kid }],
  ])('%s: %j', async (error, header) => expectRefused(await sealed({}, header), error))

  it("or for its key: another partner's, or one of zeros with an unknown kid", async () => {
    await expectRefused(await sealed({}, HEADER, { secret: other.secret }), 'decryption')
    const zeros = { secret: base64url.encode(new Uint8Array(32)) }
    await expectRefused(await sealed({}, { ...HEADER, kid: 'partner-9' }, zeros), 'key: unknown or revoked')
  })
})

/** The bytes with a different first byte. */
const flipped = (bytes: Uint8Array) => bytes.map((byte, n) => (n === 0 ? byte ^ 1 : byte))

it('a partner token is rejected for its form: a changed part, not five parts, or too long', async () => {
  const whole = await partsOf()
  const { iv, ciphertext, tag } = whole
  const text = base64url.encode(ciphertext)
  const changes: Case<object>[] = [
    ...all('decryption', [
      ...[{ tag: flipped(tag) }, { ciphertext: flipped(ciphertext) }, { iv: flipped(iv) }, { ciphertext: '' }],
      { header: base64url.encode(JSON.stringify({ ...HEADER, typ: 'JWT' })) },
    ]),
    ...all('form: authentication tag', [{ tag: '' }, { tag: tag.subarray(1) }, { tag: new Uint8Array(17) }]),
    ['form: encrypted key', { key: base64url.encode(new Uint8Array(32)) }],
    ...all('form: not base64url', [
      { tag: `${base64url.encode(tag)}==` },
      { ciphertext: text.replace(/^.{8}/, '$& ') },
      { iv: '+/+/+/+/+/+/+/+/' },
      { tag: withStrayBit(base64url.encode(tag)) },
      { ciphertext: `${text.slice(0, 8)}A` },
    ]),
  ]
  for (const [error, change] of changes) await expectRefused(joined({ ...whole, ...change }), error)
  for (const ivBytes of [11, 13])
    await expectRefused(await sealed({}, HEADER, { ivBytes }), 'form: initialization vector')
  const good = joined(whole)
  for (const token of [good.split('.').slice(0, 4).join('.'), `${good}.`, ''])
    await expectRefused(token, 'form: not five parts')
  await expectRefused(await sealed({ filler: 'x'.repeat(8192) }), 'form: too long')
})
