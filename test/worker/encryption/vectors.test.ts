import { base64url, type FlattenedJWE, flattenedDecrypt } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { encryptAnswer } from '#worker/encryption/envelope'
import { contentKeyOf } from '#worker/encryption/live-keys'
import { newWorkspace, type TestWorkspace } from '../../support/credentials'
import { rowsIn } from '../../support/databases'
import accepted from '../../vectors/encrypted-bodies/accepted.json'
import rfc from '../../vectors/encrypted-bodies/rfc7518-b1.json'
import { decrypted, sendEncrypted, storeSharedKey, UNREADABLE, withStrayBit } from './support'

const KEY = { kid: accepted.kid, key: accepted.shared_key }
const contentKey = contentKeyOf(KEY.key)
const HEADER = base64url.encode(JSON.stringify({ enc: 'A128CBC-HS256', alg: 'dir', kid: 'k' }))
const ANSWER_KEY = { contentKey, header: HEADER }
const fromHex = (text: string) => new Uint8Array(text.match(/../g)!.map((byte) => Number.parseInt(byte, 16)))

describe('encrypted responses', () => {
  it('agree with RFC 7518, appendix B.1', async () => {
    const key = { contentKey: fromHex(rfc.key), header: new TextDecoder().decode(fromHex(rfc.aad)) }
    vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((array) => {
      new Uint8Array((array as Uint8Array).buffer).set(fromHex(rfc.iv))
      return array
    })
    const answer = await encryptAnswer(new Response(fromHex(rfc.plaintext)), key)
    const made = await answer.json<Record<'ciphertext' | 'tag', string>>()
    expect([...base64url.decode(made.ciphertext)]).toEqual([...fromHex(rfc.ciphertext)])
    expect([...base64url.decode(made.tag)]).toEqual([...fromHex(rfc.tag)])
  })

  it.each([0, 15, 16, 17, 200_000])('contain a plaintext of %i bytes, which jose can read', async (size) => {
    const plaintext = '0123456789'.repeat(size / 10 + 1).slice(0, size)
    const init = { status: 418, headers: { 'Content-Length': '1', 'X-A': 'b' } }
    const answer = await encryptAnswer(new Response(plaintext, init), ANSWER_KEY)
    expect(answer.status).toBe(418)
    const headers = { 'content-type': 'application/json', 'x-a': 'b', 'x-encryption': 'JWE' }
    expect(Object.fromEntries(answer.headers)).toEqual(headers)
    const jwe = await answer.json<FlattenedJWE>()
    expect(Object.keys(jwe)).toEqual(['protected', 'iv', 'ciphertext', 'tag'])
    expect(jwe.protected).toBe(HEADER)
    const opened = await flattenedDecrypt(jwe, contentKey)
    expect(new TextDecoder().decode(opened.plaintext)).toBe(plaintext)
  })

  it('never reuse an initialization vector', async () => {
    const encrypt = async () => (await (await encryptAnswer(new Response('{}'), ANSWER_KEY)).json<{ iv: string }>()).iv
    expect(new Set(await Promise.all([1, 2, 3].map(encrypt))).size).toBe(3)
  })
})

/** The properties of a body that another library created. */
const GOOD = JSON.parse(accepted.vectors[0]!.body) as Record<string, string>
const PLAINTEXT = accepted.vectors[0]!.plaintext

/** A body with any protected header, or with another key. */
async function bodyWith(header: string, key = KEY.key): Promise<string> {
  const sealed = await encryptAnswer(new Response(PLAINTEXT), {
    contentKey: contentKeyOf(key),
    header: base64url.encode(header),
  })
  return JSON.stringify({ ...(await sealed.json<object>()), kid: KEY.kid })
}

/** Changes of one property of a body. */
function wrongMembers(): object[] {
  const tag = base64url.decode(GOOD.tag!)
  return [
    ...Object.entries(GOOD).flatMap(([name, value]) =>
      [undefined, null, 7, [value], ''].map((wrong) => ({ [name]: wrong })),
    ),
    ...['header', 'unprotected', 'aad', 'recipients'].map((name) => ({ [name]: '' })),
    { encrypted_key: 'AAAA' },
    ...['protected', 'iv', 'ciphertext', 'tag'].flatMap((name) => {
      const value = GOOD[name]!
      const spellings = [`${value}=`, `${value}\n`, `${value.slice(0, 4)} ${value.slice(4)}`, `+/${value.slice(2)}`]
      const altered = name === 'protected' ? [] : [(value[0] === 'A' ? 'B' : 'A') + value.slice(1)]
      return [...spellings, ...altered].map((wrong) => ({ [name]: wrong }))
    }),
    { iv: withStrayBit(GOOD.iv!) },
    { tag: withStrayBit(GOOD.tag!) },
    ...[15, 12].map((bytes) => ({ iv: base64url.encode(new Uint8Array(bytes)) })),
    ...[15, 12, 8, 1].map((bytes) => ({ tag: base64url.encode(tag.subarray(0, bytes)) })),
    { tag: base64url.encode(new Uint8Array([...tag, ...tag])) },
    { ciphertext: base64url.encode(base64url.decode(GOOD.ciphertext!).subarray(0, -16)) },
    { protected: base64url.encode('{"alg": "dir", "enc": "A128CBC-HS256"}') },
    ...['no-such-key', 'k'.repeat(10_000)].map((kid) => ({ kid })),
  ]
}

const NO_BODIES = [
  ...['', 'ciphertext', 'null', '{}', PLAINTEXT, `[${JSON.stringify(GOOD)}]`, `${JSON.stringify(GOOD)} {}`],
  ...[',}', '', '"'].map((end) => JSON.stringify(GOOD).replace(/"}$/, end)),
  [GOOD.protected, '', GOOD.iv, GOOD.ciphertext, GOOD.tag].join('.'),
]

/** Additional properties that are not JSON, or have a meaning in the standard. */
const WRONG_MORE = [
  ...['"x":', '"x":[', '"x":[}', '"x":{"a"}', '"x":nothing', '"x":"', '"header":{"alg":"dir"}'],
  ...['"recipients":[]', '"unprotected":null', '"aad":7', '"encrypted_key":null'],
]

const ENC = '"enc":"A128CBC-HS256"'
const WRONG_HEADERS = [
  ...[`{${ENC}}`, '{"alg":"dir"}', '["dir","A128CBC-HS256"]', 'dir', `\ufeff{"alg":"dir",${ENC}}`],
  ...['"DIR"', '"A128KW"', '"PBES2-HS256+A128KW"', '["dir"]'].map((alg) => `{"alg":${alg},${ENC}}`),
  ...['A256GCM', 'A128GCM', 'A256CBC-HS512', 'a128cbc-hs256'].map((enc) => `{"alg":"dir","enc":"${enc}"}`),
  ...['"zip":"DEF"', '"crit":["exp"],"exp":1', '"crit":[]', '"typ":"JWE"', '"alg":"dir"'].map(
    (more) => `{"alg":"dir",${ENC},${more}}`,
  ),
  ...['7', 'null', '"another"'].map((kid) => `{"alg":"dir",${ENC},"kid":${kid}}`),
]

async function refusedBodies(): Promise<string[]> {
  const header = `{"alg":"dir",${ENC}}`
  const { kid: _, ...withoutKid } = JSON.parse(await bodyWith(`{"kid":"${KEY.kid}","alg":"dir",${ENC}}`))
  return [
    ...NO_BODIES,
    ...WRONG_MORE.map((more) => `${JSON.stringify(GOOD).slice(0, -1)},${more}}`),
    ...wrongMembers().map((change) => JSON.stringify({ ...GOOD, ...change })),
    ...(await Promise.all(WRONG_HEADERS.map((wrong) => bodyWith(wrong)))),
    ...(await Promise.all(
      ['y7Kp2mQ9vT4rLc8Z', KEY.key.split('').toReversed().join('')].map((key) => bodyWith(header, key)),
    )),
    JSON.stringify(withoutKid),
  ]
}

describe('the test vectors, sent to the service', () => {
  let workspace: TestWorkspace

  beforeEach(async () => {
    workspace = await newWorkspace()
    await storeSharedKey(workspace.workspaceId, KEY)
  })

  const send = (body: string) => sendEncrypted('/registration/v1/init', workspace.token, body)

  it('are decrypted if they are valid, and the response uses the same key with its own protected header', async () => {
    for (const { name, body } of accepted.vectors) {
      const response = await send(body)
      expect(response.status, name).toBe(200)
      const { protected: header } = JSON.parse(body) as { protected: string }
      expect(await response.clone().json(), name).toMatchObject({ protected: header })
      expect(await decrypted(response, KEY), name).toMatchObject({ data: { status: 'initiated' } })
    }
  })

  it('are accepted with additional properties', async () => {
    const { body } = accepted.vectors[0]!
    for (const members of ['"x":{"a":[1,{"b":"}]"}]}', '"x":null , "y" : [ ]', '"encrypted_key":""']) {
      for (const text of [`${body.slice(0, -1)},${members}}`, `{${members},${body.slice(1)}`]) {
        const response = await send(text)
        expect(response.status, members).toBe(200)
        expect(await decrypted(response, KEY)).toMatchObject({ success: true })
      }
    }
  })

  it('are rejected with one unencrypted response if invalid, and the log contains nothing of them', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const refused = await refusedBodies()
    for (const body of refused) {
      const response = await send(body)
      expect(response.status, body).toBe(400)
      expect(response.headers.get('X-Encryption'), body).toBeNull()
      expect(await response.json(), body).toEqual(UNREADABLE)
    }
    expect(await rowsIn('DB', 'registrations')).toBe(0)

    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines).toHaveLength(refused.length)
    const bodies = refused.map((body) => body.slice(20, 60)).filter((text) => text.length > 5)
    for (const secret of [KEY.key, '919800000001', 'Zoë', workspace.token, ...bodies]) {
      expect(lines.join('\n')).not.toContain(secret)
    }
  }, 30_000)
})
