import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetEncryptionKey } from '#worker/encryption/live-keys'
import { callOperator, newWorkspace, tokenWithout, workspaceOfEachTest } from '../../support/credentials'
import { execute, rowsIn } from '../../support/databases'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'
import { type Fault, serviceWith } from '../storage/faulty-database'
import {
  callEncrypted,
  decrypted,
  decryptedText,
  encrypted,
  newSharedKey,
  type SharedKey,
  sendEncrypted,
  UNREADABLE,
} from './support'

const INIT = '/registration/v1/init'
const DOCS = '/mr/api/v2/docs'
const SEARCH = '/medical-db/v1/search/'
const CATALOG = '/admin/datasets/v1/?type=symptom'

const NUMBER = { mobile_number: '+919800000001' }

const workspace = workspaceOfEachTest()
let key: SharedKey

beforeEach(async () => {
  key = await newSharedKey(workspace.workspaceId)
})

const registrations = () => rowsIn('DB', 'registrations')

describe('an encrypted request', () => {
  it('begins a registration and is answered under the same key', async () => {
    const response = await callEncrypted(INIT, workspace.token, NUMBER, key)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('X-Request-Id')).not.toBeNull()
    expect(await decrypted(response, key)).toMatchObject({ success: true, data: { status: 'initiated' } })
    expect(await registrations()).toBe(1)
  })

  it('may be compressed, and name the scheme in any case', async () => {
    const body = JSON.stringify(await encrypted(JSON.stringify(NUMBER), key))
    const compressed = new Response(body).body!.pipeThrough(new CompressionStream('gzip'))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'X-Encryption': 'jwe' }
    const response = await callService(INIT, {
      method: 'POST',
      headers: { ...headers, ...bearer(workspace.token) },
      body: await new Response(compressed).arrayBuffer(),
    })
    expect(await decrypted(response, key)).toMatchObject({ success: true })
  })

  it('of nearly 10 MB is taken, and of more is refused with 413', async () => {
    // 7,863,900 bytes are some 10,485,200 characters of base64url.
    const document = (bytes: number) => `{"file":"${'A'.repeat(4 * Math.floor((bytes - 11) / 4))}"}`
    const response = await callEncrypted(DOCS, workspace.token, document(7_863_900), key)
    expect(await decrypted(response, key)).toMatchObject({ data: { size_bytes: 5_897_916 } })
    expect((await callEncrypted(DOCS, workspace.token, document(7_865_000), key)).status).toBe(413)
  }, 30_000)

  it.each([
    ['a plaintext that is not JSON', '[{'],
    ['an empty plaintext', ''],
    ['a number that is none', '{"mobile_number":"x"}'],
  ])('has its refusal encrypted: %s', async (_, plaintext) => {
    const response = await callEncrypted(INIT, workspace.token, plaintext, key)
    expect(response.status).toBe(400)
    const body = await decrypted(response, key)
    expect(body).toMatchObject({ success: false, message: expect.any(String) })
    expect(body.message).not.toBe(UNREADABLE.message)
    expect(await registrations()).toBe(0)
  })
})

describe('a refusal that comes before the body', () => {
  const bad = `${INIT}?unknown=1`

  it('is encrypted if the body proves a key: a bad query, a missing permission', async () => {
    const query = await callEncrypted(bad, workspace.token, NUMBER, key)
    expect(query.status).toBe(400)
    expect(await decrypted(query, key)).toMatchObject({
      success: false,
      message: expect.stringContaining('unknown'),
    })
    const reader = await tokenWithout('registration', workspace)
    const permission = await callEncrypted(INIT, reader, NUMBER, key)
    expect(permission.status).toBe(403)
    expect(permission.headers.get('WWW-Authenticate')).toContain('insufficient_scope')
    expect(await decrypted(permission, key)).toMatchObject({
      message: expect.stringContaining('registration'),
    })
  })

  it('is sent unchanged and unencrypted if the body proves no key', async () => {
    for (const body of ['', '{}', 'x', JSON.stringify(await encrypted('[]', { ...key, key: '0123456789abcdef' }))]) {
      const response = await sendEncrypted(bad, workspace.token, body)
      expect(response.headers.get('X-Encryption')).toBeNull()
      expect(await bodyFrom(response, 400)).toMatchObject({ message: expect.stringContaining('unknown') })
    }
  })

  it('is unencrypted when there is no caller, because then there is no key', async () => {
    const response = await callEncrypted(INIT, 'no-token', NUMBER, key)
    expect(response.headers.get('X-Encryption')).toBeNull()
    expect(await bodyFrom(response, 401)).toMatchObject({ success: false })
  })

  it('becomes 413 when the body turns out to be too large', async () => {
    const body = new Blob([new Uint8Array(11 * 1024 * 1024)]).stream()
    const headers = { 'Content-Type': 'application/json', 'X-Encryption': 'JWE', ...bearer(workspace.token) }
    const response = await callService(`${DOCS}?task=`, { method: 'POST', headers, body })
    expect(response.status).toBe(413)
  })
})

describe('a shared key', () => {
  it('opens only bodies from callers of its own workspace', async () => {
    const other = await newWorkspace()
    const foreign = await newSharedKey(other.workspaceId)
    await callEncrypted(INIT, other.token, NUMBER, foreign)
    expect(await bodyFrom(callEncrypted(INIT, workspace.token, NUMBER, foreign), 400)).toEqual(UNREADABLE)
  })

  it('stops working at once in the isolate that revokes it, and others of the workspace do not', async () => {
    const second = await newSharedKey(workspace.workspaceId)
    expect((await callEncrypted(INIT, workspace.token, NUMBER, key)).status).toBe(200)
    const path = `/workspaces/${workspace.workspaceId}/encryption-keys/${key.kid}`
    expect((await callOperator(path, undefined, 'DELETE')).status).toBe(200)
    expect(await bodyFrom(callEncrypted(INIT, workspace.token, NUMBER, key), 400)).toEqual(UNREADABLE)
    expect((await decrypted(await callEncrypted(INIT, workspace.token, NUMBER, second), second)).success).toBe(true)
  })

  it('stops working elsewhere within 30 seconds of its revocation, and is not read again before', async () => {
    const now = Date.now()
    const at = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
    at(0)
    await callEncrypted(INIT, workspace.token, NUMBER, key)
    await execute('update encryption_keys set revoked_at = 1 where kid = ?', key.kid)
    at(29)
    expect((await callEncrypted(INIT, workspace.token, NUMBER, key)).status).toBe(200)
    at(30)
    expect((await callEncrypted(INIT, workspace.token, NUMBER, key)).status).toBe(400)
  })

  it('is a 500 without details when its master key is missing', async () => {
    await execute("update encryption_keys set sealed_key = 'gone.AAAA.AAAA' where kid = ?", key.kid)
    forgetEncryptionKey(key.kid)
    const response = await callEncrypted(INIT, workspace.token, NUMBER, key)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('master')
  })
})

describe('X-Encryption', () => {
  it.each(['', 'none', 'JWS', 'JWE, JWE'])('is refused as %j', async (scheme) => {
    const response = await sendEncrypted(INIT, workspace.token, '{}', { 'X-Encryption': scheme })
    expect(await bodyFrom(response, 400)).toMatchObject({ message: 'The header X-Encryption must be JWE or absent.' })
  })

  it.each(['text/csv', 'multipart/form-data; boundary=x', 'text/plain'])('does not go with %s', async (type) => {
    const body = JSON.stringify(await encrypted('[]', key))
    expect((await sendEncrypted(DOCS, workspace.token, body, { 'Content-Type': type })).status).toBe(415)
  })

  it('is refused on every other endpoint, unencrypted, and nothing is done', async () => {
    const partner = await newPartner({ workspaceId: workspace.workspaceId })
    const own = bearer(workspace.token)
    const operator = bearer(String(env.PLATFORM_ADMIN_TOKEN))
    const calls = [
      ['POST', CATALOG, own],
      ['POST', '/admin/catalogs/v1/symptom/restore?revision=0', own],
      ['GET', CATALOG, own],
      ['GET', `${SEARCH}?type=symptom&q=a`, own],
      ['POST', '/api/v1/auth/token', { 'X-API-KEY': workspace.apiKey }],
      ['POST', '/api/v1/auth/session', { 'X-Auth-Token': await partnerTokenOf(partner) }],
      ['POST', '/platform/v1/workspaces', operator],
    ] as const
    const body = await encrypted('{}', key)
    for (const [method, path, credential] of calls) {
      const headers = { 'X-Encryption': 'JWE', ...credential }
      const init = method === 'GET' ? { headers } : jsonBody(body, headers)
      const response = await callService(path, { method, ...init })
      expect(response.status, path).toBe(400)
      expect(response.headers.get('X-Encryption'), path).toBeNull()
      expect(await response.json(), path).toMatchObject({
        message: 'This endpoint does not take encrypted bodies. Send the request without X-Encryption.',
      })
    }
  })
})

describe('a fault after the key is proven', () => {
  /** Sends a registration to a service whose database carries out no write. */
  const callWith = async (batch: () => Promise<never>, deadlineMs = 10_000): Promise<Response> => {
    const fault: Fault = ({ kind, writes, run }) => (kind === 'batch' && writes ? batch() : run())
    const body = await encrypted(JSON.stringify(NUMBER), key)
    const headers = { ...bearer(workspace.token), 'X-Encryption': 'JWE' }
    return serviceWith(fault, { deadlineMs })(INIT, { method: 'POST', ...jsonBody(body, headers) })
  }

  it('is answered encrypted: 500, 504', async () => {
    const response = await callWith(() => Promise.reject(new Error('out of order')))
    expect(response.status).toBe(500)
    const text = await decryptedText(response, key)
    expect(text).not.toContain('out of order')
    expect(JSON.parse(text)).toMatchObject({ success: false })
    const { promise: silence, reject: end } = Promise.withResolvers<never>()
    const late = await callWith(() => silence, 200)
    expect(late.status).toBe(504)
    expect(await decrypted(late, key)).toMatchObject({ message: expect.stringContaining('retry is safe') })
    end(new Error('the end of the test'))
  })
})
