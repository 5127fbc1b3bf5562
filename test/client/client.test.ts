import { beforeEach, describe, expect, it } from 'vitest'
import { sentRecord } from '#client/api'
import { CatalogClient } from '#client/catalog-client'
import { ServiceClient } from '#client/client'
import { clientCredentials } from '#client/credentials'
import { ServiceError } from '#client/service-error'
import type { Fetch } from '#client/transport'
import { gzip } from '#shared/text/gzip'
import { workspaceOfEachTest } from '../support/credentials'
import { callService } from '../support/service'

const DATASETS = '/admin/datasets/v1/'
const type = 'medication'

const workspace = workspaceOfEachTest()

const held = (token: string) => ({ token: async () => token })

/** A client of the real service. @param fetch sends its requests */
const clientOf = (fetch: Fetch = callService) =>
  new ServiceClient({ tokens: held(workspace.token), retry: { firstWaitMs: 0 }, fetch })

const errorOf = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (error instanceof ServiceError) return error
  throw new Error('no ServiceError was thrown', { cause: error })
}

let client: ReturnType<typeof clientOf>

beforeEach(() => {
  client = clientOf()
})

describe('a call', () => {
  it('tells what the answers before it have seen, whatever their order', async () => {
    const seen = ['DB=0000-2,DB_2=0000-7', 'DB=0000-1', null, 'DB=0000-3']
    const sent: (string | null)[] = []
    const client = clientOf(async (_, init) => {
      sent.push(new Headers(init.headers).get('X-D1-Bookmark'))
      const bookmark = seen[sent.length - 1]
      const page = { items: [], count: 0, total: 0, limit: 100, offset: 0, has_more: false }
      return Response.json(page, bookmark ? { headers: { 'X-D1-Bookmark': bookmark } } : {})
    })
    for (let call = 0; call < 5; call++) await client.get(DATASETS, { query: { type } })
    const both = 'DB=0000-2,DB_2=0000-7'
    expect(sent).toEqual([null, both, both, both, 'DB=0000-3,DB_2=0000-7'])
  })

  it('gives the data of an answer in an envelope, and the whole of a bare one', async () => {
    const records = [{ medication_id: 'a/b c', name: 'Aspirin' }]
    const written = await client.post(DATASETS, { query: { type, expected_revision: 0 }, body: records })
    expect(written).toMatchObject({ inserted: 1, revision: 1 })
    const page = await client.get(DATASETS, { query: { type, limit: 5, updated_since: new Date(0) } })
    expect(page).toMatchObject({ total: 1, limit: 5, items: [{ name: 'Aspirin' }] })
    const record = await client.get(`${DATASETS}{entity_id}/`, {
      params: { entity_id: 'a/b c' },
      query: { type },
    })
    expect(record).toMatchObject({ medication_id: 'a/b c' })
  })

  it('can be a PUT', async () => {
    const path = '/admin/catalogs/v1/{type}/watch'
    const set = await client.put(path, { params: { type }, body: { every_hours: 24 } })
    expect(set).toMatchObject({ every_hours: 24, grace_hours: 1 })
    expect(await client.get(path, { params: { type } })).toEqual(set)
  })

  it('sends files from bytes and from blobs, with their names', async () => {
    const text = 'id,name\n1,Paracétamol\n'
    const bytes = new Uint8Array(new TextEncoder().encode(text))
    await client.post(DATASETS, { query: { type }, body: { file: bytes, fileName: 'bytes.csv' } })
    await client.post(DATASETS, {
      query: { type },
      body: { file: new Blob([text, '2,B\n']), fileName: 'blöb".csv' },
    })
    const { items } = await client.get(`${DATASETS}batches/`, { query: { type } })
    expect(items.map(({ file_name, total }) => [file_name, total])).toEqual([
      ['blöb%22.csv', 2],
      ['bytes.csv', 1],
    ])
  })

  it('packs a file on its way if it is told to', async () => {
    const bodies: [encoding: string | null, bytes: number][] = []
    const client = clientOf(async (address, init) => {
      const { headers, body } = new Request(`https://service.test${address}`, init)
      const sent = new Uint8Array(await new Response(body).arrayBuffer())
      bodies.push([headers.get('Content-Encoding'), sent.byteLength])
      return callService(address, { method: init.method!, headers, body: sent })
    })
    const rows = Array.from({ length: 1000 }, (_, i) => `${i},Paracétamol\n`)
    const file = new Blob(['id,name\n', ...rows])
    const options = { query: { type }, body: { file, fileName: 'packed.csv' } } as const
    expect(await client.post(DATASETS, { ...options, gzip: true })).toMatchObject({ inserted: 1000 })
    const [[encoding, bytes] = ['', 0]] = bodies
    expect(encoding).toBe('gzip')
    expect(bytes).toBeLessThan(file.size / 2)
  })

  it('sends a file that is compressed already as it is, with its name', async () => {
    const file = await gzip(new Blob(['id,name\n1,Paracétamol\n']))
    const options = { query: { type }, body: { file, fileName: 'Arzneimittel ü.csv' } } as const
    expect(await client.post(DATASETS, { ...options, gzip: 'done' })).toMatchObject({ inserted: 1 })
    const { items } = await client.get('/admin/catalogs/v1/{type}/uploads', { params: { type } })
    expect(items).toMatchObject([{ file_name: 'Arzneimittel ü.csv', format: 'csv' }])
  })

  it('returns a file from an answer', async () => {
    await client.post(DATASETS, { query: { type }, body: [{ medication_id: '1', name: 'Aspirin' }] })
    const file = await client.file('get', DATASETS, { query: { type, format: 'csv' } })
    expect(file).toMatchObject({ fileName: 'medication.csv', contentType: 'text/csv; charset=utf-8' })
    expect(await (await file.blob()).text()).toContain('Aspirin')
  })

  it('keeps the text of numbers in a refid, with `exact`', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${workspace.token}` }
    const body = '[{"medication_id":"1","name":"A","refid":12345678901234567890}]'
    await callService(`${DATASETS}?type=medication`, { method: 'POST', headers, body })
    const options = { params: { entity_id: '1' }, query: { type } } as const
    const record = await client.get(`${DATASETS}{entity_id}/`, { ...options, exact: true })
    const { unchanged } = await client.post(DATASETS, { query: { type }, body: [record] })
    expect(unchanged).toBe(1)
    expect((await client.get(`${DATASETS}{entity_id}/`, options)).refid).toBe(12345678901234567000)
  })

  it('does not send an id that no address can hold', async () => {
    const get = () => client.get(`${DATASETS}{entity_id}/`, { params: { entity_id: '..' }, query: { type } })
    await expect(async () => get()).rejects.toThrow(RangeError)
  })
})

describe('an error', () => {
  it('has the status, every failing field with its code, and the request id', async () => {
    const error = await errorOf(
      client.post(DATASETS, {
        query: { type },
        body: [{ name: 'A' }, { medication_id: '2', otc: 'yes' }].map(sentRecord),
      }),
    )
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(error.codes.sort()).toEqual(['required', 'wrong_type'])
    expect(error.errors).toHaveLength(3)
    expect(error.requestId).toMatch(/^[\w.-]+$/)
  })

  it('says that the shrink guard has stopped a write', async () => {
    await client.post(DATASETS, { query: { type }, body: [{ medication_id: '1', name: 'A' }] })
    const error = await errorOf(client.post(DATASETS, { query: { type, mode: 'reconcile' }, body: [] }))
    expect(error).toMatchObject({ status: 409, code: 'conflict', codes: ['shrink_guard'] })
  })

  it('has the OAuth code of a refused token request', async () => {
    const tokens = clientCredentials({ ...workspace, clientSecret: 'wrong', baseUrl: '', fetch: callService })
    expect(await errorOf(tokens.token())).toMatchObject({ status: 401, oauth: 'invalid_client' })
  })
})

/** The service over a connection that loses requests and answers as `lose` decides. */
function badLine(lose: (request: number) => 'request' | 'answer' | Response | undefined) {
  const seen: string[] = []
  const fetch: Fetch = async (address, init) => {
    const lost = lose(seen.push(`${init.method} ${address}`))
    if (lost === 'request') throw new TypeError('Network connection lost.')
    if (lost instanceof Response) return lost
    const answer = await callService(address, init)
    if (lost === 'answer') throw new TypeError('Network connection lost.')
    return answer
  }
  return { seen, client: clientOf(fetch) }
}

describe('on an unreliable connection', () => {
  it('a read is sent again until it is answered, at most four times', async () => {
    const twice = badLine((request) => (request < 3 ? 'request' : undefined))
    expect((await twice.client.get(DATASETS, { query: { type } })).total).toBe(0)
    expect(twice.seen).toHaveLength(3)
    const always = badLine(() => 'request')
    expect(await errorOf(always.client.get(DATASETS, { query: { type } }))).toMatchObject({
      status: 0,
      code: 'unreachable',
    })
    expect(always.seen).toHaveLength(4)
  })

  it('a search by POST is sent again', async () => {
    const { client, seen } = badLine((request) => (request === 1 ? 'answer' : undefined))
    expect((await client.post('/medical-db/v1/search/', { body: { type, q: 'aspirin' } })).count).toBe(0)
    expect(seen).toHaveLength(2)
  })

  it('a write is sent again, and carried out once', async () => {
    const { client, seen } = badLine((request) => (request === 1 ? 'answer' : undefined))
    const written = await client.post(DATASETS, {
      query: { type },
      body: [{ medication_id: '1', name: 'A' }],
    })
    expect(written).toMatchObject({ inserted: 1, revision: 1 })
    expect(seen).toHaveLength(2)
  })

  it('a request with a partner token is not sent again, because the token may be used up', async () => {
    const { client, seen } = badLine(() => 'answer')
    const call = client.get(DATASETS, { query: { type }, headers: { 'X-Auth-Token': 'token' } })
    expect(await errorOf(call)).toMatchObject({ status: 0 })
    expect(seen).toHaveLength(1)
  })

  it('a request is sent again after the wait that the service asks for', async () => {
    const busy = (seconds: string) =>
      Response.json({ success: false, message: 'Busy.' }, { status: 503, headers: { 'Retry-After': seconds } })
    const soon = badLine((request) => (request === 1 ? busy('0') : undefined))
    await soon.client.get(DATASETS, { query: { type } })
    expect(soon.seen).toHaveLength(2)
    const late = badLine(() => busy('3600'))
    expect(await errorOf(late.client.get(DATASETS, { query: { type } }))).toMatchObject({
      status: 503,
      retryAfterMs: 3_600_000,
    })
    expect(late.seen).toHaveLength(1)
  })

  it('an aborted call ends at once, with the reason of its signal', async () => {
    const stop = new AbortController()
    const { client, seen } = badLine(() => {
      stop.abort(new Error('enough'))
      return 'request'
    })
    const call = client.get(DATASETS, { query: { type }, signal: stop.signal })
    await expect(call).rejects.toThrow('enough')
    expect(seen).toHaveLength(1)
  })
})

describe('a sync', () => {
  const rows = (...ids: string[]) => ids.map((medication_id) => ({ medication_id, name: 'A', aliases: ['B'] }))
  const client = () => new CatalogClient({ baseUrl: '', tokens: held(workspace.token), fetch: callService })

  it('says what was written, what stopped it and what it would do', async () => {
    const first = await client().sync(type, rows('1', '2', '3'))
    expect(first.outcome === 'written' && first.written.inserted).toBe(3)
    const shrunk = await client().sync(type, rows('1'), { mode: 'reconcile' })
    expect(shrunk).toMatchObject({
      outcome: 'stopped',
      stops: [{ code: 'shrink_guard', would_deactivate: 2 }],
    })
    expect(shrunk.outcome === 'stopped' && shrunk.waiting?.uploadId).toMatch(/^[\da-f-]{36}$/)
    const emptied = [{ medication_id: '1', name: 'A' }]
    const stops = [{ code: 'emptied_guard', field: 'aliases', emptied: 1 }]
    expect(await client().sync(type, emptied)).toMatchObject({ outcome: 'stopped', stops, waiting: null })
    expect(await client().sync(type, emptied, { dryRun: true })).toMatchObject({ outcome: 'planned', stops })
    expect(await client().sync(type, emptied, { maxEmptied: 1 })).toMatchObject({ outcome: 'written' })
  })

  it('writes once with one key, and only the state that was expected', async () => {
    const idempotencyKey = 'night-1'
    const one = await client().sync(type, rows('1'), { idempotencyKey })
    await client().sync(type, rows('1', '2'))
    expect(await client().sync(type, rows('1'), { idempotencyKey })).toMatchObject({
      written: { revision: one.outcome === 'written' ? one.written.revision : 0, inserted: 1 },
    })
    const expected = { revision: 1, epoch: '0' }
    expect(await errorOf(client().sync(type, rows('3'), { expected }))).toMatchObject({
      status: 409,
      errors: [],
    })
  })
})

it('client credentials give one token to simultaneous calls, and a new one when it is refused', async () => {
  const asked: string[] = []
  const fetch: Fetch = async (address, init) => {
    const { Authorization: token } = init.headers as Record<string, string>
    asked.push(address)
    if (token !== undefined && asked.length < 5) return new Response(null, { status: 401 })
    return callService(address, init)
  }
  const { clientId, clientSecret, apiKey } = workspace
  const tokens = clientCredentials({ baseUrl: '', clientId, clientSecret, apiKey, fetch })
  const client = new ServiceClient({ tokens, fetch })
  const read = () => client.get(DATASETS, { query: { type } })
  await Promise.all([read(), read()])
  // Both calls share one token, which is refused, and then share the second one.
  expect(asked.filter((address) => address === '/api/v1/auth/token')).toHaveLength(2)
  expect(asked).toHaveLength(6)
})
