import { env } from 'cloudflare:workers'
import { base64url, type FlattenedJWE, flattenedDecrypt } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encryptAnswer } from '#worker/encryption/envelope'
import { contentKeyOf } from '#worker/encryption/live-keys'
import type { AnswerKey } from '#worker/http/context'
import { newWorkspace, type TestWorkspace } from '../../support/credentials'
import accepted from '../../vectors/encrypted-bodies/accepted.json'
import refused from '../../vectors/encrypted-bodies/refused.json'
import rfc from '../../vectors/encrypted-bodies/rfc7518-b1.json'
import { decrypted, sendEncrypted, storeSharedKey, UNREADABLE } from './support'

const KEY = { kid: accepted.kid, key: accepted.shared_key }
const contentKey = contentKeyOf(KEY.key)
const HEADER = base64url.encode(JSON.stringify({ enc: 'A128CBC-HS256', alg: 'dir', kid: 'k' }))
const ANSWER_KEY = { contentKey, header: HEADER }
const fromHex = (text: string) => new Uint8Array(text.match(/../g)!.map((byte) => Number.parseInt(byte, 16)))

/** Encrypts a text as an answer, with an initialisation vector that is given. */
async function encryptedWith(plaintext: BodyInit, iv: Uint8Array, key: AnswerKey) {
  vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((array) => {
    new Uint8Array((array as Uint8Array).buffer).set(iv)
    return array
  })
  const answer = await encryptAnswer(new Response(plaintext), key)
  return answer.json<Record<'protected' | 'iv' | 'ciphertext' | 'tag', string>>()
}

describe('encrypted answers', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('agree with RFC 7518, appendix B.1', async () => {
    const header = new TextDecoder().decode(fromHex(rfc.aad))
    const key = { contentKey: fromHex(rfc.key), header }
    const made = await encryptedWith(fromHex(rfc.plaintext), fromHex(rfc.iv), key)
    expect([...base64url.decode(made.ciphertext)]).toEqual([...fromHex(rfc.ciphertext)])
    expect([...base64url.decode(made.tag)]).toEqual([...fromHex(rfc.tag)])
  })

  it.each(accepted.vectors)('are what other libraries make: $name', async ({ plaintext, body }) => {
    const { protected: header, iv, ciphertext, tag } = JSON.parse(body) as Record<string, string>
    const made = await encryptedWith(plaintext, base64url.decode(iv!), { contentKey, header: header! })
    expect(made).toEqual({ protected: header, iv, ciphertext, tag })
  })

  it.each([0, 1, 15, 16, 17, 200_000])('hold a plaintext of %i bytes, which jose reads', async (size) => {
    const plaintext = '0123456789'.repeat(size / 10 + 1).slice(0, size)
    const init = { status: 418, headers: { 'Content-Length': '1', 'X-A': 'b' } }
    const answer = await encryptAnswer(new Response(plaintext, init), ANSWER_KEY)
    expect(answer.status).toBe(418)
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json',
      'x-a': 'b',
      'x-encryption': 'JWE',
    })
    const jwe = await answer.json<FlattenedJWE>()
    expect(Object.keys(jwe)).toEqual(['protected', 'iv', 'ciphertext', 'tag'])
    expect(jwe.protected).toBe(HEADER)
    const opened = await flattenedDecrypt(jwe, contentKey)
    expect(new TextDecoder().decode(opened.plaintext)).toBe(plaintext)
  })

  it('never use an initialisation vector twice', async () => {
    const answers = Array.from({ length: 50 }, () => encryptAnswer(new Response('{}'), ANSWER_KEY))
    const ivs = await Promise.all(
      (await Promise.all(answers)).map(async (answer) => (await answer.json<{ iv: string }>()).iv),
    )
    expect(new Set(ivs).size).toBe(50)
  })
})

describe('the test vectors, sent to the service', () => {
  let workspace: TestWorkspace

  beforeEach(async () => {
    workspace = await newWorkspace()
    await storeSharedKey(workspace.workspaceId, KEY)
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const send = (body: string) => sendEncrypted('/registration/v1/init', workspace.token, body)

  it('are decrypted if they are valid, and answered under the same key', async () => {
    for (const { name, body } of accepted.vectors) {
      const response = await send(body)
      expect(response.status, name).toBe(200)
      expect(await decrypted(response, KEY), name).toMatchObject({
        success: true,
        data: { status: 'initiated' },
      })
    }
  })

  it.each([
    '"x":""',
    '"x":{"a":[1,{"b":"}]"}]}',
    '"x":-1.5e3',
    '"x":null , "y" : [ ]',
    '"encrypted_key":""',
    '"__proto__":{}',
  ])('are accepted with %s beside their members', async (members) => {
    const { body } = accepted.vectors[0]!
    for (const text of [`${body.slice(0, -1)},${members}}`, `{${members},${body.slice(1)}`]) {
      const response = await send(text)
      expect(response.status).toBe(200)
      expect(await decrypted(response, KEY)).toMatchObject({ success: true })
    }
  })

  it.each([
    '"x":',
    '"x":[',
    '"x":[}',
    '"x":{"a"}',
    '"x":nothing',
    '"x":"',
    '"header":{"alg":"dir"}',
    '"recipients":[]',
    '"unprotected":null',
    '"aad":7',
    '"encrypted_key":null',
  ])('are refused with %s beside their members', async (members) => {
    const { body } = accepted.vectors[0]!
    const response = await send(`${body.slice(0, -1)},${members}}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(UNREADABLE)
  })

  it('are answered with their own protected header', async () => {
    for (const { name, body } of accepted.vectors) {
      const response = await send(body)
      const { protected: header } = JSON.parse(body) as { protected: string }
      expect(await response.json(), name).toMatchObject({ protected: header })
    }
  })

  it('are all refused with the same unencrypted answer if they are invalid, and only the log says why', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    for (const { name, body } of refused.vectors) {
      const response = await send(body)
      expect(response.status, name).toBe(400)
      expect(response.headers.get('X-Encryption'), name).toBeNull()
      expect(await response.json(), name).toEqual(UNREADABLE)
    }
    expect(await env.DB.prepare('select count(*) as n from registrations').first('n')).toBe(0)

    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines).toHaveLength(refused.vectors.length)
    const reasons = new Set(lines.map((line) => (JSON.parse(line) as { reason: string }).reason))
    expect([...reasons].sort()).toEqual(
      [
        ...['protected', 'iv', 'ciphertext', 'tag', 'kid'].map((name) => `${name} is missing or not a string`),
        'a member is not base64url in its canonical form',
        'a member that is not allowed',
        'alg is not dir',
        'enc is not A128CBC-HS256',
        'kid of header and body differ',
        'no live key of the workspace has this kid',
        'not JSON',
        'not a JSON object',
        'the integrity check failed',
        'the kid of the header is not a string',
        'the protected header has an unknown member',
        'the protected header is not a JSON object with each member once',
      ]
        .map((fault) => `encrypted body: ${fault}`)
        .sort(),
    )
    const bodies = refused.vectors.map(({ body }) => body.slice(20, 60)).filter((text) => text.length > 5)
    for (const secret of [KEY.key, '919800000001', 'Zoë', workspace.token, ...bodies]) {
      expect(lines.join('\n')).not.toContain(secret)
    }
  }, 30_000)
})
