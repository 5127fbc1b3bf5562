import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { apiErrorOf } from '#shared/errors/errors'
import { openPartnerToken } from '#worker/auth/partner/token'
import made from '../../../vectors/partner-tokens.json'
import { withStrayBit } from '../../encryption/support'

interface Credential {
  kid: string
  issuer: string
  key: CryptoKey
}

/** A token, the text of its claims, and the time at which it arrives, in seconds. */
interface Sent {
  token: string
  claims: string
  now: number
}

const [partner, other] = made.credentials as [(typeof made.credentials)[0], (typeof made.credentials)[0]]

/** 2026-11-20T18:00:00Z */
const NOW = 1795197600
const HEADER = { alg: 'dir', enc: 'A256GCM', kid: partner.kid }
const CLAIMS = {
  iss: partner.issuer,
  aud: made.audience,
  sub: '+910000000000',
  iat: NOW,
  exp: NOW + 300,
  jti: 'b1f0c6de-0000-4000-8000-000000000001',
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const claimsWith = (changes: object): string => JSON.stringify({ ...CLAIMS, ...changes })

const importKey = (secret: string, usage: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', base64url.decode(secret), 'AES-GCM', false, [usage])

interface Parts {
  header: string
  key: string
  iv: Uint8Array | string
  ciphertext: Uint8Array | string
  tag: Uint8Array | string
}

/** The parts of a compact JWE (RFC 7516, section 5.1), with any header, which libraries do not make. */
async function partsOf(
  plaintext: string | Uint8Array<ArrayBuffer>,
  header: unknown = HEADER,
  { secret = partner.secret, ivBytes = 12 } = {},
): Promise<Parts> {
  const encoded = base64url.encode(textOf(header))
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const algorithm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(encoded) }
  const bytes = typeof plaintext === 'string' ? new TextEncoder().encode(plaintext) : plaintext
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, await importKey(secret, 'encrypt'), bytes))
  return { header: encoded, key: '', iv, ciphertext: sealed.subarray(0, -16), tag: sealed.subarray(-16) }
}

const encoded = (part: Uint8Array | string): string => (typeof part === 'string' ? part : base64url.encode(part))

const joined = ({ header, key, iv, ciphertext, tag }: Parts): string =>
  [header, key, iv, ciphertext, tag].map(encoded).join('.')

/** A token of these claims, an object of changes or a text. */
async function sealed(changes: object | string | Uint8Array<ArrayBuffer> = {}, ...how: [unknown?, object?]) {
  const isChange = typeof changes === 'object' && !(changes instanceof Uint8Array)
  return joined(await partsOf(isChange ? claimsWith(changes) : changes, ...how))
}

async function findCredential(kid: string): Promise<Credential | null> {
  const found = made.credentials.find((credential) => credential.kid === kid)
  return found ? { kid, issuer: found.issuer, key: await importKey(found.secret, 'decrypt') } : null
}

const open = (token: string, now = NOW) =>
  openPartnerToken(token, { audience: made.audience, findCredential }, new Date(now * 1000))

async function expectAccepted({ token, claims, now }: Sent): Promise<void> {
  const { sub, iat, exp, jti } = JSON.parse(claims)
  expect(await open(token, now)).toMatchObject({
    credential: { kid: 'partner-1' },
    claims: { sub, iat, exp, ...(jti ? { jti } : {}) },
  })
}

/** What the log says about a token that is refused. */
const reasonOf = (token: string, now?: number): Promise<string | undefined> =>
  open(token, now).then(
    () => undefined,
    (error) => apiErrorOf(error)?.details.reason,
  )

async function expectRefused(token: string, check: string, now?: number): Promise<void> {
  expect(await reasonOf(token, now)).toBe(`partner token: ${check}`)
}

/** The shortest token with at least this many characters. */
async function tokenOf(length: number): Promise<Sent> {
  for (let size = Math.floor(length * 0.7); ; size++) {
    const claims = claimsWith({ filler: 'x'.repeat(size) })
    const token = await sealed(claims)
    if (token.length >= length) return { token, claims, now: NOW }
  }
}

describe('a partner token is accepted', () => {
  it.each(made.vectors)('that $made_by made: $name', (vector) => expectAccepted(vector))

  it.each<[string, object | string, number?]>([
    ['without a jti', { jti: undefined }],
    ['with a claim that is not known, twice within', `{"extra":{"a":1,"a":2},${claimsWith({}).slice(1)}`],
    ['with a jti of 1 character', { jti: 'x' }],
    ['with a jti of 255 characters', { jti: 'x'.repeat(255) }],
    ['with a jti of 255 characters beyond the basic plane', { jti: '🙂'.repeat(255) }],
    ['60 seconds after exp, less one', { iat: NOW - 300, exp: NOW - 59 }],
    ['in the last second', {}, NOW + 359],
    ['with iat 60 seconds ahead', { iat: NOW + 60 }],
    ['with exp 59 seconds before iat', { iat: NOW + 30, exp: NOW - 29 }],
    ['with a lifetime of 960 seconds', { exp: NOW + 960 }],
  ])('%s', async (_, changes, now = NOW) => {
    const claims = typeof changes === 'string' ? changes : claimsWith(changes)
    await expectAccepted({ token: await sealed(claims), claims, now })
  })

  it('with white space and another order in the header', async () => {
    const header = '{ "kid" : "partner-1",\n  "enc" : "A256GCM", "alg" : "dir" }'
    await expectAccepted({ token: await sealed({}, header), claims: claimsWith({}), now: NOW })
  })

  it('of 8192 characters, and no longer one', async () => {
    const longest = await tokenOf(8192)
    expect(longest.token).toHaveLength(8192)
    await expectAccepted(longest)
    await expectRefused((await tokenOf(8193)).token, 'form: too long')
  })
})

const NO_OBJECT = 'not an object with each member once'
const latin1 = Uint8Array.from(claimsWith({ sub: 'é' }), (character) => character.charCodeAt(0))

type Changes = object | string | Uint8Array<ArrayBuffer>
type Case<T> = [error: string, value: T, now?: number]

/** Cases with one error. */
const all = <T>(error: string, values: readonly T[]): Case<T>[] => values.map((value) => [error, value])

describe('a partner token is refused for its claims', () => {
  const whole = claimsWith({})
  const wrong: Record<string, unknown[]> = {
    iss: [undefined, null, [CLAIMS.iss], other.issuer, `${CLAIMS.iss}/`, CLAIMS.iss.toUpperCase()],
    aud: [
      undefined,
      null,
      [],
      [CLAIMS.aud, 'https://elsewhere.example'],
      'https://elsewhere.example',
      `${CLAIMS.aud}/`,
    ],
    sub: [undefined, null, [CLAIMS.sub], '', 910000000000],
    mobile_number: [910000000000, null],
    iat: [undefined, null, [NOW], String(NOW), NOW - 0.5, '2026-11-20T18:00:00Z'],
    exp: [undefined, null, [NOW + 300], String(NOW + 300), NOW + 300.5],
    nbf: ['now', null],
    jti: ['x'.repeat(256), '', null, 7, true, ['x'], {}],
  }

  it.each<Case<Changes>>([
    ...Object.entries(wrong).flatMap(([claim, values]) =>
      all(
        `claims: ${claim}`,
        values.map((value) => ({ [claim]: value })),
      ),
    ),
    ['claims: sub', whole.replace('+910', '\\ud800')],
    ['claims: exp', whole.replace(String(NOW + 300), '1e999')],
    ...all(`claims: ${NO_OBJECT}`, [
      ...Object.entries(CLAIMS).map(([claim, value]) => whole.replace(/}$/, `,"${claim}":${JSON.stringify(value)}}`)),
      `{"\\u0069ss":"https://evil.test",${whole.slice(1)}`,
      ...['', 'null', '[]', '"text"', '7', '{', `[${whole}]`, `${whole}x`, `\ufeff${whole}`],
      latin1,
    ]),
    ['window: issued in the future', { iat: NOW * 1000, exp: (NOW + 300) * 1000 }],
    ['window: issued in the future', { iat: NOW + 61 }],
    ['window: not valid yet', { nbf: NOW + 61 }],
    ['window: expired', { iat: NOW - 300, exp: NOW - 60 }],
    ['window: expired', {}, NOW + 360],
    ['window: expires before it is issued', { iat: NOW + 30, exp: NOW - 30 }],
    ...all('window: too long', [{ exp: NOW + 961 }, { exp: NOW + 31_536_000 }]),
  ])('%s: %j', async (error, changes, now) => expectRefused(await sealed(changes), error, now))
})

describe('a partner token is refused for its header', () => {
  const whole = JSON.stringify(HEADER)
  const keys = ['A256KW', 'A256GCMKW', 'RSA-OAEP-256', 'ECDH-ES', 'PBES2-HS256+A128KW', 'none', 'DIR']
  const wrong: Record<string, unknown[]> = {
    alg: [...keys, null, ['dir'], undefined],
    enc: ['A128GCM', 'A192GCM', 'A128CBC-HS256', 'A256CBC-HS512', 'a256gcm', null, undefined],
    kid: ['', 7, null, ['partner-1'], 'partner 1', 'x'.repeat(65), undefined],
    zip: [null, 'DEF'],
    crit: [[], ['exp']],
  }

  it.each<Case<unknown>>([
    ...Object.entries(wrong).flatMap(([member, values]) =>
      all<unknown>(
        `header: ${member}`,
        values.map((value) => ({ ...HEADER, exp: 1, [member]: value })),
      ),
    ),
    ...all<unknown>(`header: ${NO_OBJECT}`, [
      ...Object.entries(HEADER).map(([member, value]) => whole.replace(/}$/, `,"${member}":"${value}"}`)),
      ...['', 'null', '[]', '"dir"', '{', `\ufeff${whole}`],
    ]),
    ['key: unknown or revoked', { ...HEADER, kid: 'partner-9' }],
    ['decryption', { ...HEADER, kid: other.kid }],
  ])('%s: %j', async (error, header) => expectRefused(await sealed({}, header), error))

  it('or for its key: that of another partner, or one of zeros under an unknown kid', async () => {
    await expectRefused(await sealed({}, HEADER, { secret: other.secret }), 'decryption')
    const zeros = { secret: base64url.encode(new Uint8Array(32)) }
    await expectRefused(await sealed({}, { ...HEADER, kid: 'partner-9' }, zeros), 'key: unknown or revoked')
  })
})

/** The bytes, of which the first is another one. */
const flipped = (bytes: Uint8Array) => bytes.map((byte, n) => (n === 0 ? byte ^ 1 : byte))

describe('a partner token is refused for its form', () => {
  it('if a part of it was changed', async () => {
    const whole = await partsOf(claimsWith({}))
    const { iv, ciphertext, tag } = whole
    const text = base64url.encode(ciphertext as Uint8Array)
    const tagText = base64url.encode(tag as Uint8Array)
    const changes: [string, Partial<Parts>][] = [
      ['decryption', { tag: flipped(tag as Uint8Array) }],
      ['decryption', { ciphertext: flipped(ciphertext as Uint8Array) }],
      ['decryption', { iv: flipped(iv as Uint8Array) }],
      ['decryption', { ciphertext: '' }],
      ['decryption', { header: base64url.encode(textOf({ ...HEADER, typ: 'JWT' })) }],
      ...[0, 4, 8, 12, 15, 17].map((bytes): [string, Partial<Parts>] => {
        const other = new Uint8Array(bytes)
        other.set((tag as Uint8Array).subarray(0, bytes))
        return ['form: authentication tag', { tag: other }]
      }),
      ['form: encrypted key', { key: base64url.encode(new Uint8Array(32)) }],
      ['form: not base64url', { tag: `${tagText}==` }],
      ['form: not base64url', { ciphertext: text.replace(/^.{8}/, '$& ') }],
      ['form: not base64url', { iv: '+/+/+/+/+/+/+/+/' }],
      ['form: not base64url', { tag: withStrayBit(tagText) }],
      ['form: not base64url', { ciphertext: `${text.slice(0, 8)}A` }],
    ]
    for (const [error, change] of changes) await expectRefused(joined({ ...whole, ...change }), error)
  })

  it.each([8, 13, 16])('if its initialization vector has %i bytes', async (ivBytes) =>
    expectRefused(await sealed({}, HEADER, { ivBytes }), 'form: initialization vector'),
  )

  it('if it has not five parts', async () => {
    const good = await sealed()
    for (const token of [good.split('.').slice(0, 4).join('.'), `${good}.`, '', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA'])
      await expectRefused(token, 'form: not five parts')
    await expectRefused(`..${'A'.repeat(16)}..${'A'.repeat(22)}`, `header: ${NO_OBJECT}`)
  })
})
