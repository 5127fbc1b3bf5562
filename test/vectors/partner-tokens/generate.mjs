/**
 * Makes `vectors.json`. It needs a JOSE library that is not the service's own, in a folder outside of the repository:
 *
 *     cd "$(mktemp -d)" && npm init -y && npm install node-jose@2.2.0
 *     node <repository>/test/vectors/partner-tokens/generate.mjs
 *
 * `made_by` names the maker of a token: `node-jose`, `jose` (this script then opens it with node-jose), or
 * `node:crypto`, by hand, for tokens that no library makes.
 */
import { createHash, randomBytes } from 'node:crypto'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { writeVectors } from '../write-vectors.mjs'
import { byHand, flipped, join, json, parts, strayBit, text, withJose, withNodeJose } from './make-token.mjs'

/** 2026-11-20T18:00:00Z */
const NOW = 1795197600
const AUDIENCE = 'https://catalog.example/partners'

/** Public, and therefore for tests only. */
const secretOf = (text) => createHash('sha256').update(text).digest('base64url')
const partner = { kid: 'partner-1', issuer: 'https://partner.example', secret: secretOf('test vectors 1') }
const other = { kid: 'partner-2', issuer: 'https://other.example', secret: secretOf('test vectors 2') }

const HEADER = { alg: 'dir', enc: 'A256GCM', kid: partner.kid }
const CLAIMS = {
  iss: partner.issuer,
  aud: AUDIENCE,
  sub: '+910000000000',
  iat: NOW,
  exp: NOW + 300,
  jti: 'b1f0c6de-0000-4000-8000-000000000001',
}

/** Members that are undefined are left out. */
const claimsWith = (changes) => JSON.stringify({ ...CLAIMS, ...changes })

const vectors = []

const add = (name, error, made_by, token, { header = HEADER, claims = claimsWith({}), now = NOW } = {}) =>
  vectors.push({
    name,
    now,
    header: json(header),
    claims,
    token,
    made_by,
    verdict: error === null ? 'accepted' : 'refused',
    ...(error === null ? {} : { error }),
  })

/** A valid token except for its claims, or for the time at which it arrives. */
const addClaims = (name, error, changes, now = NOW) => {
  const claims = json(typeof changes === 'string' ? changes : claimsWith(changes))
  add(name, error, 'node:crypto', byHand(partner.secret, HEADER, claims), { claims, now })
}

const addHeader = (name, error, header) =>
  add(name, error, 'node:crypto', byHand(partner.secret, header, claimsWith({})), { header })

/** A token with a part that was changed afterwards. */
const addChanged = (name, error, change) =>
  add(name, error, 'node:crypto', join(change(parts(partner.secret, HEADER, claimsWith({})))))

// Accepted, from libraries.
const fullClaims = claimsWith({ mobile_number: '+910000000000' })
add('made by another library', null, 'node-jose', await withNodeJose(partner.secret, HEADER, fullClaims), {
  claims: fullClaims,
})
add('made by jose', null, 'jose', await withJose(partner.secret, HEADER, fullClaims), { claims: fullClaims })
const withType = { ...HEADER, typ: 'JWT' }
add('a type in the header', null, 'node-jose', await withNodeJose(partner.secret, withType, claimsWith({})), {
  header: withType,
})
const spaced = '{ "kid" : "partner-1",\n  "enc" : "A256GCM", "alg" : "dir" }'
addHeader('white space and another order in the header', null, spaced)

// Claims: in each token one is missing, has a wrong type, is repeated or is wrong.
for (const claim of ['iss', 'aud', 'sub', 'iat', 'exp']) {
  addClaims(`no ${claim}`, `claims: ${claim}`, { [claim]: undefined })
  addClaims(`${claim} null`, `claims: ${claim}`, { [claim]: null })
  addClaims(`${claim} in a list`, `claims: ${claim}`, { [claim]: [CLAIMS[claim]] })
}
for (const claim of Object.keys(CLAIMS)) {
  const twice = `${claimsWith({}).slice(0, -1)},${JSON.stringify(claim)}:${JSON.stringify(CLAIMS[claim])}}`
  addClaims(`${claim} twice`, 'claims: not an object with each member once', twice)
}
addClaims(
  'iss twice, once escaped',
  'claims: not an object with each member once',
  `{"\\u0069ss":"https://evil.example",${claimsWith({}).slice(1)}`,
)
addClaims('no jti', null, { jti: undefined })
addClaims('a claim that is not known, twice within', null, `{"extra":{"a":1,"a":2},${claimsWith({}).slice(1)}`)
addClaims('another issuer', 'claims: iss', { iss: other.issuer })
addClaims('the issuer with a slash', 'claims: iss', { iss: `${partner.issuer}/` })
addClaims('the issuer in capitals', 'claims: iss', { iss: partner.issuer.toUpperCase() })
addClaims('another audience', 'claims: aud', { aud: 'https://elsewhere.example' })
addClaims('the audience with a slash', 'claims: aud', { aud: `${AUDIENCE}/` })
addClaims('an empty sub', 'claims: sub', { sub: '' })
addClaims('a sub that is a number', 'claims: sub', { sub: 910000000000 })
addClaims('a sub with half a surrogate pair', 'claims: sub', claimsWith({}).replace('+910', '\\ud800'))
addClaims('a mobile number that is a number', 'claims: mobile_number', { mobile_number: 910000000000 })
addClaims('a mobile number that is null', 'claims: mobile_number', { mobile_number: null })
addClaims('iat in quotes', 'claims: iat', { iat: String(NOW) })
addClaims('exp in quotes', 'claims: exp', { exp: String(NOW + 300) })
addClaims('a fractional iat', 'claims: iat', { iat: NOW - 0.5 })
addClaims('a fractional exp', 'claims: exp', { exp: NOW + 300.5 })
addClaims('exp beyond every number', 'claims: exp', claimsWith({}).replace(String(NOW + 300), '1e999'))
addClaims('iat as a date', 'claims: iat', { iat: '2026-11-20T18:00:00Z' })
addClaims('iat in milliseconds', 'window: issued in the future', { iat: NOW * 1000, exp: (NOW + 300) * 1000 })
addClaims('a jti of 1 character', null, { jti: 'x' })
addClaims('a jti of 255 characters', null, { jti: 'x'.repeat(255) })
addClaims('a jti of 255 characters beyond the basic plane', null, { jti: '🙂'.repeat(255) })
addClaims('a jti of 256 characters', 'claims: jti', { jti: 'x'.repeat(256) })
for (const [name, jti] of Object.entries({
  'an empty': '',
  'a null': null,
  'a numeric': 7,
  'a boolean': true,
  'a list as': ['x'],
  'an object as': {},
})) {
  addClaims(`${name} jti`, 'claims: jti', { jti })
}
for (const payload of [
  '',
  'null',
  '[]',
  '"text"',
  '7',
  '{',
  `[${claimsWith({})}]`,
  `${claimsWith({})}x`,
  `\ufeff${claimsWith({})}`,
]) {
  addClaims(
    `the payload ${JSON.stringify(payload.slice(0, 12))}`,
    'claims: not an object with each member once',
    payload,
  )
}
add(
  'a payload that is not UTF-8',
  'claims: not an object with each member once',
  'node:crypto',
  byHand(partner.secret, HEADER, Buffer.from(claimsWith({ sub: 'é' }), 'latin1')),
  { claims: claimsWith({ sub: 'é' }) },
)

// The window, to the second.
addClaims('60 seconds after exp, less one', null, { iat: NOW - 300, exp: NOW - 59 })
addClaims('60 seconds after exp', 'window: expired', { iat: NOW - 300, exp: NOW - 60 })
addClaims('in the last second', null, {}, NOW + 359)
addClaims('a second too late', 'window: expired', {}, NOW + 360)
addClaims('iat 60 seconds ahead', null, { iat: NOW + 60 })
addClaims('iat 61 seconds ahead', 'window: issued in the future', { iat: NOW + 61 })
addClaims('exp 59 seconds before iat', null, { iat: NOW + 30, exp: NOW - 29 })
addClaims('exp 60 seconds before iat', 'window: expires before it is issued', {
  iat: NOW + 30,
  exp: NOW - 30,
})
addClaims('a lifetime of 960 seconds', null, { exp: NOW + 960 })
addClaims('a lifetime of 961 seconds', 'window: too long', { exp: NOW + 961 })
addClaims('a lifetime of a year', 'window: too long', { exp: NOW + 31536000 })

// The header.
for (const alg of [
  'A256KW',
  'A256GCMKW',
  'RSA-OAEP-256',
  'ECDH-ES',
  'PBES2-HS256+A128KW',
  'none',
  'DIR',
  null,
  ['dir'],
  undefined,
]) {
  addHeader(`alg ${JSON.stringify(alg) ?? 'missing'}`, 'header: alg', { ...HEADER, alg })
}
for (const enc of ['A128GCM', 'A192GCM', 'A128CBC-HS256', 'A256CBC-HS512', 'a256gcm', null, undefined]) {
  addHeader(`enc ${JSON.stringify(enc) ?? 'missing'}`, 'header: enc', { ...HEADER, enc })
}
addHeader('zip null', 'header: zip', { ...HEADER, zip: null })
const compressed = { ...HEADER, zip: 'DEF' }
add('compressed', 'header: zip', 'node:crypto', byHand(partner.secret, compressed, deflateRawSync(claimsWith({}))), {
  header: compressed,
})
addHeader('an empty crit', 'header: crit', { ...HEADER, crit: [] })
addHeader('a critical member', 'header: crit', { ...HEADER, crit: ['exp'], exp: 1 })
for (const kid of ['', 7, null, ['partner-1'], 'partner 1', 'x'.repeat(65), undefined]) {
  addHeader(`kid ${JSON.stringify(kid)?.slice(0, 12) ?? 'missing'}`, 'header: kid', { ...HEADER, kid })
}
addHeader('an unknown kid', 'key: unknown or revoked', { ...HEADER, kid: 'partner-9' })
const decoyed = { ...HEADER, kid: 'partner-9' }
add(
  'an unknown kid and a key of zeros',
  'key: unknown or revoked',
  'node:crypto',
  byHand(Buffer.alloc(32).toString('base64url'), decoyed, claimsWith({})),
  { header: decoyed },
)
addHeader('the kid of another partner', 'decryption', { ...HEADER, kid: other.kid })
add('the key of another partner', 'decryption', 'node:crypto', byHand(other.secret, HEADER, claimsWith({})))
for (const member of Object.keys(HEADER)) {
  const twice = `${json(HEADER).slice(0, -1)},"${member}":"${HEADER[member]}"}`
  addHeader(`${member} twice`, 'header: not an object with each member once', twice)
}
for (const header of ['', 'null', '[]', '"dir"', '{', `\ufeff${json(HEADER)}`]) {
  addHeader(`the header ${JSON.stringify(header.slice(0, 12))}`, 'header: not an object with each member once', header)
}

// The form.
addChanged('another tag', 'decryption', (jwe) => ({ ...jwe, tag: flipped(jwe.tag) }))
addChanged('another ciphertext', 'decryption', (jwe) => ({ ...jwe, ciphertext: flipped(jwe.ciphertext) }))
addChanged('another initialization vector', 'decryption', (jwe) => ({ ...jwe, iv: flipped(jwe.iv) }))
addChanged('no ciphertext', 'decryption', (jwe) => ({ ...jwe, ciphertext: '' }))
addChanged('another header under the same tag', 'decryption', (jwe) => ({
  ...jwe,
  header: Buffer.from(json({ ...HEADER, typ: 'JWT' })).toString('base64url'),
}))
for (const bytes of [0, 4, 8, 12, 15]) {
  addChanged(`a tag of ${bytes} bytes`, 'form: authentication tag', (jwe) => ({
    ...jwe,
    tag: jwe.tag.subarray(0, bytes),
  }))
}
addChanged('a tag of 17 bytes', 'form: authentication tag', (jwe) => ({
  ...jwe,
  tag: Buffer.concat([jwe.tag, Buffer.from([0])]),
}))
for (const ivBytes of [8, 13, 16]) {
  add(
    `an initialization vector of ${ivBytes} bytes`,
    'form: initialization vector',
    'node:crypto',
    byHand(partner.secret, HEADER, claimsWith({}), { ivBytes }),
  )
}
addChanged('an encrypted key', 'form: encrypted key', (jwe) => ({ ...jwe, key: randomBytes(32) }))
addChanged('padding', 'form: not base64url', (jwe) => ({ ...jwe, tag: `${text(jwe.tag)}==` }))
addChanged('a space', 'form: not base64url', (jwe) => ({
  ...jwe,
  ciphertext: `${text(jwe.ciphertext).slice(0, 8)} ${text(jwe.ciphertext).slice(8)}`,
}))
addChanged('the alphabet of base64', 'form: not base64url', (jwe) => ({ ...jwe, iv: '+/+/+/+/+/+/+/+/' }))
addChanged('a stray bit at the end of the tag', 'form: not base64url', (jwe) => ({
  ...jwe,
  tag: strayBit(text(jwe.tag)),
}))
addChanged('a length that base64url cannot have', 'form: not base64url', (jwe) => ({
  ...jwe,
  ciphertext: `${text(jwe.ciphertext).slice(0, 8)}A`,
}))
const good = byHand(partner.secret, HEADER, claimsWith({}))
add('four parts', 'form: not five parts', 'node:crypto', good.split('.').slice(0, 4).join('.'))
add('six parts', 'form: not five parts', 'node:crypto', `${good}.`)
add('nothing', 'form: not five parts', 'node:crypto', '')
add('a signed token', 'form: not five parts', 'node:crypto', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA')
add(
  'dots alone',
  'header: not an object with each member once',
  'node:crypto',
  `..${'A'.repeat(16)}..${'A'.repeat(22)}`,
)

/** The shortest token with at least this many characters. */
function tokenOf(length) {
  for (let size = length / 2; ; size += 1) {
    const claims = claimsWith({ filler: 'x'.repeat(size) })
    const token = byHand(partner.secret, HEADER, claims)
    if (token.length >= length) return { token, claims }
  }
}
const longest = tokenOf(8192)
if (longest.token.length !== 8192) throw new Error('no token has 8192 characters')
add('8192 characters', null, 'node:crypto', longest.token, { claims: longest.claims })
const tooLong = tokenOf(8193)
add('more than 8192 characters', 'form: too long', 'node:crypto', tooLong.token, { claims: tooLong.claims })

const file = path.join(import.meta.dirname, 'vectors.json')
writeVectors(file, { audience: AUDIENCE, credentials: [partner, other], vectors })
process.stdout.write(`${vectors.length} vectors\n`)
