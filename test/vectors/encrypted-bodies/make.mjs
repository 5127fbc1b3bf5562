/**
 * Makes the vectors of this folder.
 *
 *   node make.mjs <folder with node_modules/node-jose> <python with jwcrypto>
 */
import { execFileSync } from 'node:child_process'
import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeVectors } from '../write-vectors.mjs'

const [libraries, python] = process.argv.slice(2)
const folder = path.dirname(fileURLToPath(import.meta.url))
const jose = createRequire(path.resolve(libraries, 'index.js'))('node-jose')

const SHARED_KEY = 'x7Kp2mQ9vT4rLc8Z'
const KID = 'vector-key'
const KEY = Buffer.from(SHARED_KEY + SHARED_KEY)
const PLAINTEXT = '{"mobile_number":"+919800000001","name":"Zoë 😀"}'
const HEADER = '{"alg":"dir","enc":"A128CBC-HS256"}'
const base64url = (bytes) => Buffer.from(bytes).toString('base64url')

/** RFC 7518, section 5.2.2.1. */
function encryptBytes(plaintext, { key = KEY, iv, aad, padding = true }) {
  const cipher = createCipheriv('aes-128-cbc', key.subarray(16), iv).setAutoPadding(padding)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  const bits = Buffer.alloc(8)
  bits.writeBigUInt64BE(BigInt(aad.length) * 8n)
  const mac = createHmac('sha256', key.subarray(0, 16)).update(aad).update(iv).update(ciphertext).update(bits)
  return { ciphertext, tag: mac.digest().subarray(0, 16) }
}

/** The members of a body; `header` is its protected header as text. */
function members(plaintext, { header = HEADER, iv = randomBytes(16), kid = KID, ...options } = {}) {
  const encoded = base64url(header)
  const { ciphertext, tag } = encryptBytes(Buffer.from(plaintext), {
    ...options,
    iv,
    aad: Buffer.from(encoded),
  })
  return {
    protected: encoded,
    iv: base64url(iv),
    ciphertext: base64url(ciphertext),
    tag: base64url(tag),
    kid,
  }
}

async function withNodeJose(name, plaintext, fields) {
  const key = await jose.JWK.asKey({ kty: 'oct', k: base64url(KEY) })
  const parts = await jose.JWE.createEncrypt(
    { format: 'flattened', fields: { alg: 'dir', enc: 'A128CBC-HS256', ...fields } },
    { key, reference: false },
  )
    .update(plaintext, 'utf8')
    .final()
  return { name: `node-jose, ${name}`, plaintext, body: JSON.stringify({ ...parts, kid: KID }) }
}

async function accepted() {
  const good = members(PLAINTEXT)
  return [
    await withNodeJose('an object', PLAINTEXT, {}),
    await withNodeJose('kid in the header too', PLAINTEXT, { kid: KID }),
    await withNodeJose('a plaintext of whole blocks', '{"mobile_number":"+919800000001"}'.padEnd(48), {}),
    ...JSON.parse(
      execFileSync(python, [path.join(folder, 'make.py'), SHARED_KEY, KID, PLAINTEXT], { encoding: 'utf8' }),
    ),
    {
      name: 'white space around the members',
      plaintext: PLAINTEXT,
      body: ` ${JSON.stringify(good, null, '\t')}\r\n`,
    },
    {
      name: 'escapes that JSON allows',
      plaintext: PLAINTEXT,
      body: JSON.stringify(good).replace('"tag"', '"\\u0074ag"').replace(KID, KID.replace('-', '\\u002d')),
    },
  ]
}

/** Changes a character of base64url without setting stray bits. */
const flip = (text) => (text[0] === 'A' ? 'B' : 'A') + text.slice(1)

/** The same bytes in another spelling: one of the bits that no byte uses is set. */
const withStrayBit = (text) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)) + 1]
}

const ENCODED = ['protected', 'iv', 'ciphertext', 'tag']

function refusedForms() {
  const good = members(PLAINTEXT)
  const text = JSON.stringify(good)
  const changed = (name, change) => ({ name, body: JSON.stringify({ ...good, ...change }) })
  const cut = (bytes) => base64url(Buffer.from(good.tag, 'base64url').subarray(0, bytes))
  return [
    { name: 'an empty body', body: '' },
    { name: 'no JSON', body: 'ciphertext' },
    { name: 'JSON null', body: 'null' },
    { name: 'a list', body: `[${text}]` },
    { name: 'an object without members', body: '{}' },
    { name: 'the plaintext itself', body: PLAINTEXT },
    { name: 'a compact JWE', body: [good.protected, '', good.iv, good.ciphertext, good.tag].join('.') },
    { name: 'something behind the object', body: `${text} {}` },
    { name: 'a comma behind the last member', body: `${text.slice(0, -1)},}` },
    { name: 'an object that does not end', body: text.slice(0, -1) },
    { name: 'a string that does not end', body: text.slice(0, -2) },
    ...Object.keys(good).flatMap((member) => [
      { name: `no ${member}`, body: JSON.stringify({ ...good, [member]: undefined }) },
      ...[null, 7, true, [good[member]], { value: good[member] }].map((value) =>
        changed(`${member} is ${JSON.stringify(value).slice(0, 8)}`, { [member]: value }),
      ),
    ]),
    ...['header', 'unprotected', 'aad', 'recipients'].map((member) => changed(`a member ${member}`, { [member]: '' })),
    changed('a member encrypted_key that is not empty', { encrypted_key: 'AAAA' }),
    ...ENCODED.flatMap((member) => [
      changed(`${member} is empty`, { [member]: '' }),
      changed(`${member} with padding`, { [member]: `${good[member]}=` }),
      changed(`${member} with white space`, { [member]: `${good[member]}\n` }),
      changed(`${member} with white space inside`, {
        [member]: `${good[member].slice(0, 4)} ${good[member].slice(4)}`,
      }),
      changed(`${member} in the standard alphabet`, { [member]: `+/${good[member].slice(2)}` }),
    ]),
    changed('iv with a stray bit', { iv: withStrayBit(good.iv) }),
    changed('tag with a stray bit', { tag: withStrayBit(good.tag) }),
    ...ENCODED.slice(1).map((member) => changed(`${member} altered`, { [member]: flip(good[member]) })),
    changed('iv of 15 bytes', { iv: base64url(randomBytes(15)) }),
    changed('iv of 12 bytes', { iv: base64url(randomBytes(12)) }),
    ...[15, 12, 8, 1].map((bytes) => changed(`tag cut to ${bytes} bytes`, { tag: cut(bytes) })),
    changed('tag of 32 bytes', {
      tag: base64url(Buffer.concat([Buffer.from(good.tag, 'base64url'), randomBytes(16)])),
    }),
    changed('ciphertext without its last block', {
      ciphertext: base64url(Buffer.from(good.ciphertext, 'base64url').subarray(0, -16)),
    }),
    changed('the header spelled otherwise than it was authenticated', {
      protected: base64url('{"alg": "dir", "enc": "A128CBC-HS256"}'),
    }),
    changed('an unknown kid', { kid: 'no-such-key' }),
    changed('a kid of 10,000 characters', { kid: 'k'.repeat(10_000) }),
    changed('an empty kid', { kid: '' }),
  ]
}

function refusedHeaders() {
  const headers = {
    'alg missing': '{"enc":"A128CBC-HS256"}',
    'enc missing': '{"alg":"dir"}',
    'alg DIR': '{"alg":"DIR","enc":"A128CBC-HS256"}',
    'alg A128KW': '{"alg":"A128KW","enc":"A128CBC-HS256"}',
    'alg PBES2-HS256+A128KW': '{"alg":"PBES2-HS256+A128KW","enc":"A128CBC-HS256"}',
    'alg in a list': '{"alg":["dir"],"enc":"A128CBC-HS256"}',
    'enc A256GCM': '{"alg":"dir","enc":"A256GCM"}',
    'enc A128GCM': '{"alg":"dir","enc":"A128GCM"}',
    'enc A256CBC-HS512': '{"alg":"dir","enc":"A256CBC-HS512"}',
    'enc in small letters': '{"alg":"dir","enc":"a128cbc-hs256"}',
    'zip DEF': '{"alg":"dir","enc":"A128CBC-HS256","zip":"DEF"}',
    crit: '{"alg":"dir","enc":"A128CBC-HS256","crit":["exp"],"exp":1}',
    'an empty crit': '{"alg":"dir","enc":"A128CBC-HS256","crit":[]}',
    typ: '{"alg":"dir","enc":"A128CBC-HS256","typ":"JWE"}',
    'alg twice': '{"alg":"dir","alg":"dir","enc":"A128CBC-HS256"}',
    'kid a number': '{"alg":"dir","enc":"A128CBC-HS256","kid":7}',
    'kid null': '{"alg":"dir","enc":"A128CBC-HS256","kid":null}',
    'another kid than the body': '{"alg":"dir","enc":"A128CBC-HS256","kid":"another"}',
    'a list': '["dir","A128CBC-HS256"]',
    'no JSON': 'dir',
    'a byte order mark': `\ufeff${HEADER}`,
  }
  return Object.entries(headers).map(([name, header]) => ({
    name: `header: ${name}`,
    body: JSON.stringify(members(PLAINTEXT, { header })),
  }))
}

function refusedKeys() {
  const with_ = (name, key) => ({ name, body: JSON.stringify(members(PLAINTEXT, { key })) })
  const block = Buffer.from('{"mobile_number"')
  return [
    with_('another key', Buffer.from('y7Kp2mQ9vT4rLc8Z'.repeat(2))),
    with_('the key once, then zeros', Buffer.concat([KEY.subarray(0, 16), Buffer.alloc(16)])),
    with_('the key backwards', Buffer.from(KEY).reverse()),
    {
      name: 'a valid tag over wrong padding',
      body: JSON.stringify(members(block, { padding: false })),
    },
    {
      name: 'compressed by the sender, as the header says',
      body: JSON.stringify(
        members('q1YqSy0qzszPU7JSUKoFAA', { header: '{"alg":"dir","enc":"A128CBC-HS256","zip":"DEF"}' }),
      ),
    },
  ]
}

function rfc7518() {
  const hex = (text) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
  const vector = {
    key: hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
    plaintext: Buffer.from(
      'A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience',
    ),
    iv: hex('1af38c2dc2b96ffdd86694092341bc04'),
    aad: Buffer.from('The second principle of Auguste Kerckhoffs'),
    ciphertext: hex(
      `c80edfa32ddf39d5ef00c0b468834279a2e46a1b8049f792f76bfe54b903a9c9a94ac9b47ad2655c5f10f9aef71427e2
       fc6f9b3f399a221489f16362c703233609d45ac69864e3321cf82935ac4096c86e133314c54019e8ca7980dfa4b9cf1b
       384c486f3a54c51078158ee5d79de59fbd34d848b3d69550a67646344427ade54b8851ffb598f7f80074b9473c82e2db`,
    ),
    tag: hex('652c3fa36b0a7c5b3219fab3a30bc1c4'),
  }
  const made = encryptBytes(vector.plaintext, vector)
  if (!made.ciphertext.equals(vector.ciphertext) || !made.tag.equals(vector.tag)) {
    throw new Error('the primitives used here do not agree with RFC 7518, appendix B.1')
  }
  return Object.fromEntries(Object.entries(vector).map(([name, bytes]) => [name, bytes.toString('hex')]))
}

function kidInTheHeaderAlone() {
  const { kid, ...withoutKid } = members(PLAINTEXT, {
    header: `{"kid":"${KID}","alg":"dir","enc":"A128CBC-HS256"}`,
  })
  return { name: 'kid in the header alone', body: JSON.stringify(withoutKid) }
}

const KEYS = { shared_key: SHARED_KEY, kid: KID }

const RFC_FILE = path.join(folder, 'rfc7518-b1.json')
writeFileSync(RFC_FILE, `${JSON.stringify(rfc7518(), null, 2)}\n`)
writeVectors(path.join(folder, 'accepted.json'), { ...KEYS, vectors: await accepted() })
writeVectors(path.join(folder, 'refused.json'), {
  ...KEYS,
  vectors: [...refusedForms(), ...refusedHeaders(), ...refusedKeys(), kidInTheHeaderAlone()],
})
