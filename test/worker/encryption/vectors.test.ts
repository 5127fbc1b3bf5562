import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { A128CbcHs256 } from '#worker/encryption/a128cbc-hs256'
import { encryptAnswer } from '#worker/encryption/encrypt-answer'
import { openBody } from '#worker/encryption/open'
import { contentKeyOf } from '#worker/encryption/shared-key'
import { newWorkspace, type TestWorkspace } from '../../support/credentials'
import { eventually } from '../../support/eventually'
import accepted from '../../vectors/encrypted-bodies/accepted.json'
import refused from '../../vectors/encrypted-bodies/refused.json'
import rfc from '../../vectors/encrypted-bodies/rfc7518-b1.json'
import { decrypted, sendEncrypted, storeSharedKey, UNREADABLE } from './support'

const utf8 = new TextEncoder()
const KEY = { kid: accepted.kid, key: accepted.shared_key }
const contentKey = contentKeyOf(KEY.key)
const HEADER = base64url.encode(JSON.stringify({ enc: 'A128CBC-HS256', alg: 'dir', kid: 'k' }))
const ANSWER_KEY = { contentKey, header: HEADER }
const fromHex = (text: string) => new Uint8Array(text.match(/../g)!.map((byte) => Number.parseInt(byte, 16)))

/** Encrypts in pieces of a size, which is a multiple of 16. */
async function encryptInPieces(
  key: Uint8Array,
  { plaintext, iv, aad }: { plaintext: Uint8Array; iv: Uint8Array; aad: Uint8Array },
  size: number,
): Promise<{ ciphertext: number[]; tag: number[] }> {
  const cipher = await A128CbcHs256.start(key, iv, aad)
  const ciphertext: number[] = []
  let at = 0
  for (; at + size <= plaintext.byteLength; at += size) {
    ciphertext.push(...(await cipher.update(plaintext.subarray(at, at + size))))
  }
  const end = await cipher.finish(plaintext.subarray(at))
  return { ciphertext: [...ciphertext, ...end.ciphertext], tag: [...end.tag] }
}

describe('A128CBC-HS256', () => {
  it.each([16, 48, 128, 1024])('agrees with RFC 7518, appendix B.1, in pieces of %i bytes', async (size) => {
    const made = await encryptInPieces(
      fromHex(rfc.key),
      { plaintext: fromHex(rfc.plaintext), iv: fromHex(rfc.iv), aad: fromHex(rfc.aad) },
      size,
    )
    expect(made).toEqual({ ciphertext: [...fromHex(rfc.ciphertext)], tag: [...fromHex(rfc.tag)] })
  })

  it.each(accepted.vectors)('makes what other libraries make: $name', async ({ plaintext, body }) => {
    const vector = JSON.parse(body) as Record<string, string>
    const made = await encryptInPieces(
      contentKey,
      {
        plaintext: utf8.encode(plaintext),
        iv: base64url.decode(vector.iv!),
        aad: utf8.encode(vector.protected),
      },
      16,
    )
    expect(base64url.encode(new Uint8Array(made.ciphertext))).toBe(vector.ciphertext)
    expect(base64url.encode(new Uint8Array(made.tag))).toBe(vector.tag)
  })
})

describe('encrypted answers', () => {
  it.each([0, 1, 15, 16, 17, 47, 48, 49, 96, 1000, 200_000])(
    'hold a plaintext of %i bytes, cut into any pieces',
    async (size) => {
      const plaintext = '0123456789'.repeat(size / 10 + 1).slice(0, size)
      const pieces = [0.1, 0.5, 0.55, 1].map((share) => Math.floor(size * share))
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          pieces.forEach((end, index) => {
            controller.enqueue(utf8.encode(plaintext.slice(pieces[index - 1] ?? 0, end)))
          })
          controller.close()
        },
      })
      const answer = encryptAnswer(
        new Response(body, { status: 418, headers: { 'Content-Length': '1', 'X-A': 'b' } }),
        ANSWER_KEY,
      )
      expect(answer.status).toBe(418)
      expect(Object.fromEntries(answer.headers)).toEqual({
        'content-type': 'application/json',
        'x-a': 'b',
        'x-encryption': 'JWE',
      })
      const text = await answer.text()
      expect(JSON.parse(text)).toMatchObject({ protected: HEADER })
      expect(Object.keys(JSON.parse(text) as object)).toEqual(['protected', 'iv', 'ciphertext', 'tag'])
      const opened = await openBody(
        new TextEncoder().encode(text.replace('}', `,"kid":"k"}`)),
        async () => contentKey,
      )
      expect(new TextDecoder().decode(opened.plaintext)).toBe(plaintext)
    },
  )

  it('never use an initialisation vector twice', async () => {
    const ivs = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { iv } = await encryptAnswer(new Response('{}'), ANSWER_KEY).json<{ iv: string }>()
        return iv
      }),
    )
    expect(new Set(ivs).size).toBe(50)
  })

  it('let the source go when the reader goes', async () => {
    const cancel = vi.fn()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel,
    })
    const reader = encryptAnswer(new Response(endless), ANSWER_KEY).body!.getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    await eventually(() => expect(cancel).toHaveBeenCalledOnce())
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
    '"x":1,"x":1',
    '"header":{"alg":"dir"}',
    '"recipients":[]',
    '"unprotected":null',
    '"aad":7',
    '"encrypted_key":null',
    Array.from({ length: 200 }, (_, index) => `"x${index}":1`).join(','),
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
        'a member is missing',
        'a member is not base64url in its canonical form',
        'a member that is not allowed',
        'alg is not dir',
        'enc is not A128CBC-HS256',
        'kid of header and body differ',
        'no kid',
        'no live key of the workspace has this kid',
        'not a JSON object with known members as strings, each once',
        'the integrity check failed',
        'the kid of the header is not a string',
        'the protected header has an unknown member',
        'the protected header is not a JSON object with each member once',
      ].map((fault) => `encrypted body: ${fault}`),
    )
    const bodies = refused.vectors.map(({ body }) => body.slice(20, 60)).filter((text) => text.length > 5)
    for (const secret of [KEY.key, '919800000001', 'Zoë', workspace.token, ...bodies]) {
      expect(lines.join('\n')).not.toContain(secret)
    }
  }, 30_000)
})
