import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sentRecord } from '#client/api'
import { CatalogClient } from '#client/catalog-client'
import { type Attempt, ServiceClient } from '#client/client'
import { type FileUploadOptions, uploadFile } from '#client/upload-file'
import { EDGE } from '../../support/cloudflare-refusals.mjs'
import { serve as startServer } from '../../support/proxy.mjs'

/** The client in Node, over a real connection. */

const type = 'medication'

/** The response to a write of these records. */
const RECORDS = ['1', '2'].map((medication_id) => sentRecord({ medication_id, name: 'A' }))
const WRITTEN = {
  ...{ total: 2, inserted: 2, updated: 0, reactivated: 0, unchanged: 0, deactivated: 0 },
  ...{ active_before: 10, active_after: 12, revision: 1, epoch: 'e', batch_id: 'b', emptied: {}, warnings: [] },
}

const writtenBy = ({ url = '', headers }: IncomingMessage) => ({
  ...WRITTEN,
  type,
  mode: new URL(url, 'http://localhost').searchParams.get('mode') ?? 'upsert',
  idempotency_key: headers['idempotency-key'],
})

/** A server until the end of the test. @returns its address */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const { origin, close } = await startServer(answer)
  onTestFinished(close)
  return origin
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

it.each(Object.entries(EDGE))(
  "the client explains Cloudflare's own responses, and what to do: %s",
  async (name, edge) => {
    let requests = 0
    const baseUrl = await serve((_, response) => {
      requests++
      response.writeHead(edge.status, edge.headers).end(edge.text)
    })
    const client = new ServiceClient({ baseUrl, retry: { firstWaitMs: 0 } })
    const isLasting = edge.status === 403
    const message = expect.stringMatching(
      name === 'challenge' ? /a challenge.*docs\/troubleshooting\.md/ : `error code: ${name}`,
    )
    await expect(client.get('/.well-known/jwks.json')).rejects.toMatchObject({
      code: 'unknown',
      reason: name,
      isLasting,
      message,
    })
    expect(requests).toBe(isLasting ? 1 : 4)
  },
)

it('the client repeats an attempt that takes too long', async () => {
  let requests = 0
  const baseUrl = await serve((_, response) => {
    if (++requests > 1) json(response, { success: true, message: '', data: { items: [] } })
  })
  const attempts: Attempt[] = []
  const client = new ServiceClient({
    baseUrl,
    // Long enough for the second attempt on a busy machine.
    timeoutMs: 1000,
    retry: { firstWaitMs: 0 },
    onAttempt: (attempt) => attempts.push(attempt),
  })
  await client.get('/admin/catalogs/v1/{type}/writes', { params: { type }, query: { limit: 1 } })
  const path = '/admin/catalogs/v1/{type}/writes'
  expect(attempts).toMatchObject([
    { method: 'GET', path, status: 0, requestId: null },
    { method: 'GET', path, status: 200 },
  ])
  expect(attempts[0]?.durationMs).toBeGreaterThanOrEqual(900)
})

it.each([
  ['of a catalog', (client: CatalogClient) => client.post('/admin/datasets/v1/', { query: { type }, body: RECORDS })],
  [
    'that restores',
    (client: CatalogClient) =>
      client.post('/admin/catalogs/v1/{type}/restore', { params: { type }, query: { revision: 1 } }),
  ],
])('a write whose response is lost is repeated with the same key: %s', async (_, write) => {
  const keys: unknown[] = []
  const baseUrl = await serve((request, response) => {
    request.resume()
    if (keys.push(request.headers['idempotency-key']) === 1) response.destroy()
    else json(response, { success: true, message: '', data: writtenBy(request) })
  })
  const client = new CatalogClient({ baseUrl, retry: { firstWaitMs: 0 } })
  expect(await write(client)).toMatchObject(WRITTEN)
  expect(await write(client)).toMatchObject(WRITTEN)
  const [first, again, second] = keys
  expect(again).toBe(first)
  expect(second).not.toBe(first)
  expect(first).toMatch(/^[\da-f-]{36}$/)
})

describe('a file in a response', () => {
  it('throws a ServiceError if the connection breaks', async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv', 'X-Request-Id': 'r' }).write('id,name\n')
      setTimeout(() => response.destroy(), 20)
    })
    const file = await new ServiceClient({ baseUrl }).file('get', '/admin/datasets/v1/', {
      query: { type, format: 'csv' },
    })
    await expect(new Response(file.stream).text()).rejects.toMatchObject({
      name: 'ServiceError',
      status: 0,
      code: 'unreachable',
    })
  })

  it("stops with the client's signal while it is read", async () => {
    const stop = new AbortController()
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv', 'X-Request-Id': 'r' }).write('id,name\n')
      setTimeout(() => stop.abort(new Error('enough')), 20)
    })
    const client = new ServiceClient({ baseUrl, signal: stop.signal, timeoutMs: 60_000 })
    const file = await client.file('get', '/admin/datasets/v1/', { query: { type, format: 'csv' } })
    await expect(file.blob()).rejects.toThrow('enough')
  })
})

it('each part of a file expects the revision of the previous part', async () => {
  const requests: string[] = []
  const baseUrl = await serve((request, response) => {
    request.resume()
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const number = requests.push(`${request.headers['idempotency-key']} ${searchParams.get('expected_revision')}`)
    if (number === 2) return json(response, { success: false, message: 'no' }, 409)
    const counts = { ...writtenBy(request), revision: number, batch_id: `b${number}` }
    json(response, { success: true, message: '', data: counts })
  })
  const client = new CatalogClient({ baseUrl })
  const part = (offset: number) => ({ content: new Blob(['medication_id,name\n']), offset })
  const file = { fileName: 'a.csv', parts: [part(0), part(2)] }
  const options: FileUploadOptions = { query: { type }, key: 'k', results: [] }
  await expect(uploadFile(client, file, options)).rejects.toMatchObject({ status: 409 })
  expect(options.results).toMatchObject([{ batch_id: 'b1' }])
  expect(await uploadFile(client, file, options)).toMatchObject({ total: 4, inserted: 4, revision: 3 })
  expect(requests).toEqual(['k-1 null', 'k-2 1', 'k-2 1'])
})

it.each([
  ['a page', '<html>Log in to this network</html>'],
  ['an envelope without counts', '{"success": true, "message": "", "data": {"total": 0}}'],
  ['counts without a batch', { ...WRITTEN, batch_id: undefined }],
  ['an older write, with another key', { idempotency_key: 'of-yesterday' }],
  ['a write of another number of records', { total: 3 }],
  ['a write in another mode', { mode: 'reconcile' }],
  ['a write of another type', { type: 'symptom' }],
])('a write is repeated after a response of something else, or to another request: %s', async (_, body) => {
  const keys: unknown[] = []
  const baseUrl = await serve((request, response) => {
    request.resume()
    if (keys.push(request.headers['idempotency-key']) > 1)
      json(response, { success: true, message: '', data: writtenBy(request) })
    else if (typeof body === 'string') response.end(body)
    else json(response, { success: true, message: '', data: { ...writtenBy(request), ...body } })
  })
  const client = new CatalogClient({ baseUrl, retry: { firstWaitMs: 0 } })
  expect(await client.sync(type, RECORDS)).toMatchObject({ outcome: 'written', written: WRITTEN })
  expect(keys).toEqual([keys[0], keys[0]])
  const once = new CatalogClient({ baseUrl, retry: { attempts: 1 } })
  keys.length = 0
  await expect(once.sync(type, RECORDS)).rejects.toMatchObject({ code: 'unknown', status: 200 })
})

it('no redirect is followed, because requests are meant for the service alone', async () => {
  let followed = 0
  const baseUrl = await serve((request, response) => {
    if (request.url === '/portal') followed++
    response.writeHead(307, { Location: '/portal' }).end()
  })
  const client = new CatalogClient({ baseUrl, retry: { attempts: 2, firstWaitMs: 0 } })
  await expect(client.sync(type, [])).rejects.toMatchObject({ code: 'unknown', status: 307 })
  expect(followed).toBe(0)
})

it('a secret that is not a valid header value is rejected before it is sent, and is not shown', async () => {
  const tokens = { token: async () => 'secret\nX: y' }
  const call = new CatalogClient({ baseUrl: 'http://127.0.0.1:9', tokens }).sync(type, [])
  await expect(call).rejects.toThrow(/^Authorization: contains a line break/)
})

it('a truncated file is detected, however the response ends', async () => {
  const content = 'id,name\r\n1,"A\nB"\r\n2,'
  const baseUrl = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/csv', 'X-Request-Id': 'r', 'X-Total-Count': '2' }).end(content)
  })
  const file = await new ServiceClient({ baseUrl }).file('get', '/admin/datasets/v1/', {
    query: { type, format: 'csv' },
  })
  await expect(file.blob()).rejects.toThrow('The file has 1 of 2 records')
})
