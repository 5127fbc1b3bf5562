import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '#worker/app'
import { forgetEncryptionKey } from '#worker/encryption/live-keys'
import { newContext } from '../../support/background'
import { callOperator, newWorkspace, type TestWorkspace, tokenWithout } from '../../support/credentials'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { callService, jsonBody } from '../../support/service'
import { faultyDatabase } from '../storage/faulty-database'
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

const SYMPTOMS = '/admin/datasets/v1/?type=symptom'

let workspace: TestWorkspace
let key: SharedKey

beforeEach(async () => {
  workspace = await newWorkspace()
  key = await newSharedKey(workspace.workspaceId)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const get = (path: string) => callService(path, { headers: { Authorization: `Bearer ${workspace.token}` } })

const symptoms = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ symptom_id: `S${index}`, name: `Symptom ${index}` }))

describe('an encrypted request', () => {
  it('writes a list of records and gets the counts under the same key', async () => {
    const response = await callEncrypted(SYMPTOMS, workspace.token, symptoms(2), key)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('X-Request-Id')).not.toBeNull()
    expect(await decrypted(response, key)).toMatchObject({ success: true, data: { inserted: 2 } })
    expect(await (await get(SYMPTOMS)).json()).toMatchObject({ total: 2 })
  })

  it('writes the object form, even of records that mention a file', async () => {
    const records = [{ symptom_id: 'file', name: '"file"', aliases: ['file'] }]
    const response = await callEncrypted(SYMPTOMS, workspace.token, { file: 'x', records }, key)
    expect(await decrypted(response, key)).toMatchObject({ data: { inserted: 1 } })
  })

  it('writes a CSV file, which becomes a batch with the size of the file', async () => {
    const csv = 'symptom_id,name\nS1,Zoë\n'
    const file = new TextEncoder().encode(csv)
    const response = await callEncrypted(
      SYMPTOMS,
      workspace.token,
      { file: btoa(String.fromCharCode(...file)) },
      key,
      {
        'Content-Disposition': 'attachment; filename="symptoms.csv"',
      },
    )
    const { data } = await decrypted<{ data: { batch_id: string } }>(response, key)
    const batches = await get('/admin/datasets/v1/batches/?type=symptom')
    expect(await batches.json()).toMatchObject({
      data: { latest: { batch_id: data.batch_id, file_name: 'symptoms.csv', size_bytes: file.byteLength } },
    })
  })

  it('switches the search', async () => {
    const path = '/admin/datasets/v1/search-status/?type=symptom'
    const response = await callEncrypted(path, workspace.token, { enabled: true }, key)
    expect(await decrypted(response, key)).toMatchObject({ data: { enabled: true } })
    expect(await (await get(path)).json()).toMatchObject({ data: { enabled: true } })
  })

  it('may be compressed, and name the scheme in any case', async () => {
    const body = JSON.stringify(await encrypted(JSON.stringify(symptoms(1)), key))
    const compressed = new Response(body).body!.pipeThrough(new CompressionStream('gzip'))
    const response = await callService(SYMPTOMS, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${workspace.token}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'X-Encryption': 'jwe',
      },
      body: await new Response(compressed).arrayBuffer(),
    })
    expect(await decrypted(response, key)).toMatchObject({ data: { inserted: 1 } })
  })

  it('of nearly 10 MB is written, and of more is refused with 413', async () => {
    const text = JSON.stringify(symptoms(1000))
    const padded = (bytes: number) => text + ' '.repeat(bytes - text.length)
    // 7,863,900 bytes are some 10,485,200 characters of base64url.
    const response = await callEncrypted(SYMPTOMS, workspace.token, padded(7_863_900), key)
    expect(await decrypted(response, key)).toMatchObject({ data: { inserted: 1000 } })
    const larger = await callEncrypted(SYMPTOMS, workspace.token, padded(7_865_000), key)
    expect(larger.status).toBe(413)
  }, 30_000)

  it.each([
    ['a plaintext that is not JSON', '[{'],
    ['an empty plaintext', ''],
    ['a file that is not base64', '{"file":"%"}'],
    ['a file in the URL alphabet', '{"file":"_-8="}'],
    ['a file that is not a string', '{"file":7}'],
    ['a file without a header row', '{"file":""}'],
    ['neither records nor a file', '{"name":"file"}'],
  ])('has its refusal encrypted: %s', async (_, plaintext) => {
    const response = await callEncrypted(SYMPTOMS, workspace.token, plaintext, key)
    expect(response.status).toBe(400)
    const body = await decrypted(response, key)
    expect(body).toMatchObject({ success: false, message: expect.any(String) })
    expect(body.message).not.toBe(UNREADABLE.message)
  })

  it('has every error of a long list encrypted', async () => {
    const records = Array.from({ length: 20_000 }, (_, index) => ({ symptom_id: `S${index}` }))
    const response = await callEncrypted(SYMPTOMS, workspace.token, records, key)
    expect(response.status).toBe(400)
    const { errors } = await decrypted<{ errors: { index: number }[] }>(response, key)
    expect(errors).toHaveLength(20_000)
    expect(errors.at(-1)!.index).toBe(19_999)
    expect(await (await get(SYMPTOMS)).json()).toMatchObject({ total: 0 })
  })
})

describe('an encrypted request to an endpoint without a body', () => {
  const restore = '/admin/catalogs/v1/symptom/restore?revision=0&confirm_shrink=true'
  const revision = async () =>
    (await (await get('/admin/catalogs/v1/symptom')).json<{ data: { revision: number } }>()).data.revision

  beforeEach(async () => {
    await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)
  })

  it('has its answer encrypted', async () => {
    const response = await callEncrypted(restore, workspace.token, {}, key)
    expect(response.status).toBe(200)
    expect(await decrypted(response, key)).toMatchObject({ data: { mode: 'restore', deactivated: 1 } })
  })

  it('is refused unencrypted, and changes nothing, if the body cannot be decrypted', async () => {
    const otherKey = JSON.stringify(await encrypted('{}', { ...key, key: '0123456789abcdef' }))
    for (const body of ['', '{}', otherKey]) {
      const response = await sendEncrypted(restore, workspace.token, body)
      expect(response.status).toBe(400)
      expect(response.headers.get('X-Encryption')).toBeNull()
      expect(await response.json()).toEqual(UNREADABLE)
    }
    expect(await revision()).toBe(1)
  })
})

describe('a refusal that comes before the body', () => {
  const bad = '/admin/datasets/v1/?type=unknown'

  it('is encrypted if the body proves a key: a bad query, a missing permission', async () => {
    const query = await callEncrypted(bad, workspace.token, symptoms(1), key)
    expect(query.status).toBe(400)
    expect(await decrypted(query, key)).toMatchObject({
      success: false,
      message: expect.stringContaining('type'),
    })
    const reader = await tokenWithout('catalog:write', workspace)
    const permission = await callEncrypted(SYMPTOMS, reader, symptoms(1), key)
    expect(permission.status).toBe(403)
    expect(permission.headers.get('WWW-Authenticate')).toContain('insufficient_scope')
    expect(await decrypted(permission, key)).toMatchObject({
      message: expect.stringContaining('catalog:write'),
    })
  })

  it('is sent unchanged and unencrypted if the body proves no key', async () => {
    for (const body of [
      '',
      '{}',
      'x',
      JSON.stringify(await encrypted('[]', { ...key, key: '0123456789abcdef' })),
    ]) {
      const response = await sendEncrypted(bad, workspace.token, body)
      expect(response.status).toBe(400)
      expect(response.headers.get('X-Encryption')).toBeNull()
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('type') })
    }
  })

  it('is unencrypted when there is no caller, because then there is no key', async () => {
    const response = await callEncrypted(SYMPTOMS, 'no-token', symptoms(1), key)
    expect(response.status).toBe(401)
    expect(response.headers.get('X-Encryption')).toBeNull()
    expect(await response.json()).toMatchObject({ success: false })
  })

  it('becomes 413 when the body turns out to be too large', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let sent = 0; sent < 11; sent++) controller.enqueue(new Uint8Array(1024 * 1024))
        controller.close()
      },
    })
    const response = await callService(bad, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${workspace.token}`,
        'Content-Type': 'application/json',
        'X-Encryption': 'JWE',
      },
      body,
    })
    expect(response.status).toBe(413)
  })

  it('is encrypted at an unknown path if there is a caller', async () => {
    const response = await callEncrypted('/admin/datasets/v1/a/b', workspace.token, {}, key)
    expect(response.status).toBe(404)
    expect(await decrypted(response, key)).toMatchObject({ success: false })
  })
})

describe('a shared key', () => {
  it('opens only bodies from callers of its own workspace', async () => {
    const other = await newWorkspace()
    const foreign = await newSharedKey(other.workspaceId)
    await callEncrypted(SYMPTOMS, other.token, symptoms(1), foreign)
    const response = await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), foreign)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(UNREADABLE)
  })

  it('works beside others of the workspace', async () => {
    const second = await newSharedKey(workspace.workspaceId)
    for (const each of [key, second]) {
      const response = await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), each)
      expect((await decrypted(response, each)).success).toBe(true)
    }
  })

  it('stops working at once in the isolate that revokes it', async () => {
    await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)
    const path = `/workspaces/${workspace.workspaceId}/encryption-keys/${key.kid}`
    expect((await callOperator(path, undefined, 'DELETE')).status).toBe(200)
    const response = await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)
    expect(await response.json()).toEqual(UNREADABLE)
  })

  it('stops working elsewhere within 30 seconds of its revocation, and is not read again before', async () => {
    const now = Date.now()
    const at = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
    at(0)
    await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)
    await env.DB.prepare('update encryption_keys set revoked_at = 1 where kid = ?').bind(key.kid).run()
    at(29)
    expect((await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)).status).toBe(200)
    at(30)
    expect((await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)).status).toBe(400)
  })

  it('is a 500 without details when its master key is missing', async () => {
    await env.DB.prepare("update encryption_keys set sealed_key = 'gone.AAAA.AAAA' where kid = ?")
      .bind(key.kid)
      .run()
    forgetEncryptionKey(key.kid)
    const response = await callEncrypted(SYMPTOMS, workspace.token, symptoms(1), key)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('master')
  })
})

describe('X-Encryption', () => {
  it.each(['', 'none', 'JWS', 'JWE, JWE'])('is refused as %j', async (scheme) => {
    const response = await sendEncrypted(SYMPTOMS, workspace.token, '{}', { 'X-Encryption': scheme })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: 'The header X-Encryption must be JWE or absent.' })
  })

  it.each(['text/csv', 'multipart/form-data; boundary=x', 'text/plain'])(
    'does not go with %s',
    async (type) => {
      const body = JSON.stringify(await encrypted('[]', key))
      const response = await sendEncrypted(SYMPTOMS, workspace.token, body, { 'Content-Type': type })
      expect(response.status).toBe(415)
    },
  )

  it('is ignored on requests without a body', async () => {
    const response = await callService(SYMPTOMS, {
      headers: { Authorization: `Bearer ${workspace.token}`, 'X-Encryption': 'JWE' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('X-Encryption')).toBeNull()
    expect(await response.json()).toMatchObject({ total: 0 })
  })

  it('is refused on endpoints without a workspace: token and operator endpoints', async () => {
    const headers = { 'X-Encryption': 'JWE', 'X-API-KEY': workspace.apiKey }
    const body = await encrypted('{}', key)
    const token = await callService('/api/v1/auth/token', { method: 'POST', ...jsonBody(body, headers) })
    expect(token.status).toBe(400)
    const message =
      'This endpoint does not take encrypted bodies. Send the body as plain JSON, without X-Encryption.'
    expect(await token.json()).toMatchObject({ error: 'invalid_request', message })
    const operator = await callService('/platform/v1/workspaces', {
      method: 'POST',
      ...jsonBody(body, { ...headers, Authorization: `Bearer ${env.PLATFORM_ADMIN_TOKEN}` }),
    })
    expect(operator.status).toBe(400)
    expect(await operator.json()).toMatchObject({ message })
  })

  it('is refused on token and operator endpoints without a body too', async () => {
    const partner = await newPartner({ workspaceId: workspace.workspaceId })
    const body = await encrypted('{}', key)
    for (const [path, credential] of [
      ['/api/v1/auth/session', { 'X-Auth-Token': await partnerTokenOf(partner) }],
      ['/platform/v1/reseal', { Authorization: `Bearer ${env.PLATFORM_ADMIN_TOKEN}` }],
    ] as const) {
      const init = jsonBody(body, { 'X-Encryption': 'JWE', ...credential })
      const response = await callService(path, { method: 'POST', ...init })
      expect(response.status).toBe(400)
      expect(response.headers.get('X-Encryption')).toBeNull()
      expect(await response.json()).toMatchObject({
        message: expect.stringContaining('does not take encrypted bodies'),
      })
    }
  })

  it('does not encrypt the answer to an unencrypted request', async () => {
    const response = await callService(SYMPTOMS, {
      method: 'POST',
      ...jsonBody(symptoms(1), { Authorization: `Bearer ${workspace.token}` }),
    })
    expect(response.headers.get('X-Encryption')).toBeNull()
    expect(await response.json()).toMatchObject({ success: true })
  })
})

describe('a fault after the key is proven', () => {
  const callWith = async (bindings: typeof env, deadlineMs?: number): Promise<Response> => {
    const app = createApp(deadlineMs === undefined ? {} : { deadlineMs })
    const request = new Request(`https://catalog.test${SYMPTOMS}`, {
      method: 'POST',
      ...jsonBody(await encrypted(JSON.stringify(symptoms(1)), key), {
        Authorization: `Bearer ${workspace.token}`,
        'X-Encryption': 'JWE',
      }),
    })
    return app.fetch(request, bindings, newContext())
  }

  /** The bindings with a database whose writes are replaced. */
  const withBatch = (batch: () => Promise<never>): typeof env => ({
    ...env,
    DB: faultyDatabase(({ kind, writes, run }) => (kind === 'batch' && writes ? batch() : run())),
  })

  it('is answered encrypted: 500', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const response = await callWith(withBatch(() => Promise.reject(new Error('out of order'))))
    expect(response.status).toBe(500)
    const text = await decryptedText(response, key)
    expect(text).not.toContain('out of order')
    expect(JSON.parse(text)).toMatchObject({ success: false })
  })

  it('is answered encrypted: 504', async () => {
    const { promise: silence, reject: end } = Promise.withResolvers<never>()
    const response = await callWith(
      withBatch(() => silence),
      200,
    )
    expect(response.status).toBe(504)
    expect(await decrypted(response, key)).toMatchObject({
      message: expect.stringContaining('retry is safe'),
    })
    end(new Error('the end of the test'))
  })
})
