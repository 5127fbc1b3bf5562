import { env } from 'cloudflare:workers'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { callOperator, newWorkspace, tokenWithout, workspaceOfEachTest } from '../../support/credentials'
import { execute, rowsIn } from '../../support/databases'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'
import { type Fault, serviceWith } from '../storage/faulty-database'
import { callEncrypted, decrypted, encrypted, newSharedKey, type SharedKey, sendEncrypted, UNREADABLE } from './support'

const INIT = '/registration/v1/init'
const DOCS = '/mr/api/v2/docs'
const CATALOG = '/admin/datasets/v1/?type=symptom'

const NUMBER = { mobile_number: '+919800000001' }

const workspace = workspaceOfEachTest()
let key: SharedKey

beforeEach(async () => {
  key = await newSharedKey(workspace.workspaceId)
})

describe('an encrypted request', () => {
  it('begins a registration, and its response is encrypted with the same key', async () => {
    const response = await callEncrypted(INIT, workspace.token, NUMBER, key)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(response.headers.get('X-Request-Id')).not.toBeNull()
    expect(await decrypted(response, key)).toMatchObject({ success: true, data: { status: 'initiated' } })
    expect(await rowsIn('DB', 'registrations')).toBe(1)
  })

  it('may be compressed, and name the scheme in any case', async () => {
    const body = new Uint8Array(gzipSync(JSON.stringify(await encrypted(JSON.stringify(NUMBER), key))))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'X-Encryption': 'jwe' }
    const init = { method: 'POST', headers: { ...headers, ...bearer(workspace.token) }, body }
    expect(await decrypted(await callService(INIT, init), key)).toMatchObject({ success: true })
  })

  it('gets encrypted error responses', async () => {
    for (const plaintext of ['[{', '', '{"mobile_number":"x"}']) {
      const response = await callEncrypted(INIT, workspace.token, plaintext, key)
      expect(response.status, plaintext).toBe(400)
      const body = await decrypted(response, key)
      expect(body).toMatchObject({ success: false, message: expect.any(String) })
      expect(body.message).not.toBe(UNREADABLE.message)
    }
    expect(await rowsIn('DB', 'registrations')).toBe(0)
  })
})

describe('an error before the body is processed', () => {
  const bad = `${INIT}?unknown=1`

  it('is encrypted if the body proves a key: a bad query, a missing permission', async () => {
    const query = await callEncrypted(bad, workspace.token, NUMBER, key)
    expect(query.status).toBe(400)
    expect((await decrypted(query, key)).message).toContain('unknown')
    const reader = await tokenWithout('registration', workspace)
    const permission = await callEncrypted(INIT, reader, NUMBER, key)
    expect(permission.status).toBe(403)
    expect(permission.headers.get('WWW-Authenticate')).toContain('insufficient_scope')
    expect((await decrypted(permission, key)).message).toContain('registration')
  })

  it('is sent unchanged and unencrypted if the body proves no key, or there is no caller', async () => {
    for (const body of ['', '{}', 'x', JSON.stringify(await encrypted('[]', { ...key, key: '0123456789abcdef' }))]) {
      const response = await sendEncrypted(bad, workspace.token, body)
      expect(response.headers.get('X-Encryption')).toBeNull()
      expect(await bodyFrom(response, 400)).toMatchObject({ message: expect.stringContaining('unknown') })
    }
    const response = await callEncrypted(INIT, 'no-token', NUMBER, key)
    expect([response.status, response.headers.get('X-Encryption')]).toEqual([401, null])
  })
})

describe('a shared key', () => {
  it('decrypts only bodies from callers of its own workspace', async () => {
    const other = await newWorkspace()
    const foreign = await newSharedKey(other.workspaceId)
    await callEncrypted(INIT, other.token, NUMBER, foreign)
    expect(await bodyFrom(callEncrypted(INIT, workspace.token, NUMBER, foreign), 400)).toEqual(UNREADABLE)
  })

  it('is rejected immediately in the isolate that revokes it, and other keys of the workspace stay valid', async () => {
    const second = await newSharedKey(workspace.workspaceId)
    expect((await callEncrypted(INIT, workspace.token, NUMBER, key)).status).toBe(200)
    await callOperator(`/workspaces/${workspace.workspaceId}/encryption-keys/${key.kid}`, undefined, 'DELETE')
    expect(await bodyFrom(callEncrypted(INIT, workspace.token, NUMBER, key), 400)).toEqual(UNREADABLE)
    expect((await decrypted(await callEncrypted(INIT, workspace.token, NUMBER, second), second)).success).toBe(true)
  })

  it('is rejected elsewhere within 30 seconds of its revocation, and is cached until then', async () => {
    const now = Date.now()
    const statusAt = async (seconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
      return (await callEncrypted(INIT, workspace.token, NUMBER, key)).status
    }
    expect(await statusAt(0)).toBe(200)
    await execute('update encryption_keys set revoked_at = 1 where kid = ?', key.kid)
    expect([await statusAt(29), await statusAt(30)]).toEqual([200, 400])
  })
})

describe('X-Encryption', () => {
  it('is JWE for a JSON body', async () => {
    const message = 'The header X-Encryption must be JWE or absent.'
    for (const scheme of ['', 'none', 'JWS', 'JWE, JWE']) {
      const refused = sendEncrypted(INIT, workspace.token, '{}', { 'X-Encryption': scheme })
      expect(await bodyFrom(refused, 400)).toMatchObject({ message })
    }
    const body = JSON.stringify(await encrypted('[]', key))
    for (const type of ['text/csv', 'multipart/form-data; boundary=x', 'text/plain'])
      expect((await sendEncrypted(DOCS, workspace.token, body, { 'Content-Type': type })).status, type).toBe(415)
  })

  it('is rejected on every other endpoint', async () => {
    const own = bearer(workspace.token)
    const body = await encrypted('{}', key)
    const message = 'This endpoint does not accept encrypted bodies. Send the request without X-Encryption.'
    for (const [method, path, credential] of [
      ['POST', CATALOG, own],
      ['GET', '/medical-db/v1/search/?type=symptom&q=a', own],
      ['POST', '/api/v1/auth/token', { 'X-API-KEY': workspace.apiKey }],
      ['POST', '/api/v1/auth/session', { 'X-Auth-Token': await partnerTokenOf(await newPartner(workspace)) }],
      ['POST', '/platform/v1/workspaces', bearer(String(env.PLATFORM_ADMIN_TOKEN))],
    ] as const) {
      const headers = { 'X-Encryption': 'JWE', ...credential }
      const response = await callService(path, {
        method,
        ...(method === 'GET' ? { headers } : jsonBody(body, headers)),
      })
      expect(response.headers.get('X-Encryption'), path).toBeNull()
      expect(await bodyFrom(response, 400), path).toMatchObject({ message })
    }
  })
})

it('a failure after the key is proven returns an encrypted response: 500, 504', async () => {
  /** Sends a registration to a service whose database executes no write. */
  const callWith = async (batch: () => Promise<never>, deadlineMs = 10_000): Promise<Response> => {
    const fault: Fault = ({ kind, writes, run }) => (kind === 'batch' && writes ? batch() : run())
    const body = await encrypted(JSON.stringify(NUMBER), key)
    const headers = { ...bearer(workspace.token), 'X-Encryption': 'JWE' }
    return serviceWith(fault, { deadlineMs })(INIT, { method: 'POST', ...jsonBody(body, headers) })
  }
  const response = await callWith(() => Promise.reject(new Error('out of order')))
  expect(response.status).toBe(500)
  expect(await decrypted(response, key)).toEqual({
    success: false,
    message: expect.not.stringContaining('out of order'),
  })
  const { promise: silence, reject: end } = Promise.withResolvers<never>()
  const late = await callWith(() => silence, 100)
  expect(late.status).toBe(504)
  expect((await decrypted(late, key)).message).toContain('safe to retry')
  end(new Error('the end of the test'))
})
