import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CatalogClient } from '#client/catalog-client'
import { type ClientOptions, ServiceClient } from '#client/client'
import { clientCredentials } from '#client/credentials'
import type { Fetch } from '#client/transport'

/**
 * The requests of the client, and its handling of responses. The tests of the command line do the same with the
 * service.
 */

const DATASETS = '/admin/datasets/v1/'
const type = 'medication'

const WRITTEN = {
  ...{ total: 1, inserted: 1, updated: 0, reactivated: 0, unchanged: 0, deactivated: 0 },
  ...{ active_before: 0, active_after: 1, revision: 1, epoch: 'e', batch_id: 'b', emptied: {}, warnings: [] },
}
const PAGE = { items: [], count: 0, total: 0, limit: 100, offset: 0, has_more: false }

const writtenBy = ({ headers }: Request) => ({
  ...WRITTEN,
  ...{ type, mode: 'upsert', idempotency_key: headers.get('Idempotency-Key') },
})

const wrapped = (data: unknown) => Response.json({ success: true, message: '', data })
const refusal = (status: number, body: object, headers = {}) =>
  Response.json({ success: false, message: 'No.', ...body }, { status, headers })

/** A client, and the requests that it has sent. @param answer undefined if the connection breaks */
function clientWith(answer: (request: Request, number: number) => Response | undefined, options: ClientOptions = {}) {
  const requests: Request[] = []
  const fetch: Fetch = async (address, init) => {
    const request = new Request(`https://service.test${address}`, init)
    const answered = answer(request, requests.push(request.clone()))
    if (answered === undefined) throw new TypeError('fetch failed')
    return answered
  }
  const all = { ...options, baseUrl: '', retry: { firstWaitMs: 0 }, fetch }
  return { requests, fetch, client: new CatalogClient(all) }
}

describe('a call', () => {
  it('sends the newest bookmarks of all earlier responses, whatever their order', async () => {
    const seen = ['DB=0000-2,DB_2=0000-7', 'DB=0000-1', null, 'DB=0000-3', null]
    const { client, requests } = clientWith((_, number) => {
      const bookmark = seen[number - 1]
      return Response.json(PAGE, bookmark ? { headers: { 'X-D1-Bookmark': bookmark } } : {})
    })
    for (const _ of seen) await client.get(DATASETS, { query: { type } })
    const both = 'DB=0000-2,DB_2=0000-7'
    const sent = requests.map(({ headers }) => headers.get('X-D1-Bookmark'))
    expect(sent).toEqual([null, both, both, both, 'DB=0000-3,DB_2=0000-7'])
  })

  it("has its parameters in the URL, and returns the data of a response's envelope", async () => {
    const { client, requests } = clientWith(() => wrapped({ medication_id: 'a/b c' }))
    const record = await client.get(`${DATASETS}{entity_id}/`, { params: { entity_id: 'a/b c' }, query: { type } })
    expect(record).toEqual({ medication_id: 'a/b c' })
    expect(requests[0]?.url).toBe(`https://service.test${DATASETS}a%2Fb%20c/?type=medication`)
    await expect(async () =>
      client.get(`${DATASETS}{entity_id}/`, { params: { entity_id: '..' }, query: { type } }),
    ).rejects.toThrow(RangeError)
  })

  it('sends files from bytes and from blobs', async () => {
    const { client, requests } = clientWith((request) => wrapped(writtenBy(request)))
    const text = `id,name\n${'1,Paracétamol\n'.repeat(1000)}`
    const bytes = new TextEncoder().encode(text)
    const query = { type } as const
    await client.post(DATASETS, { query, body: { file: bytes, fileName: 'bytes.csv' } })
    await client.post(DATASETS, { query, body: { file: new Blob([text]), fileName: 'blöb".csv' }, gzip: true })
    await client.post(DATASETS, { query, body: { file: new Blob(['packed']), fileName: 'ü.csv' }, gzip: 'done' })
    const [plain, packed, done] = requests
    const fileIn = (form: FormData | undefined): File => {
      const file = form?.get('file')
      if (!(file instanceof File)) throw new Error('The form has no file.')
      return file
    }
    const first = fileIn(await plain?.formData())
    expect([first.name, await first.text()]).toEqual(['bytes.csv', text])
    const sent = new Uint8Array(await new Response(packed?.body).arrayBuffer())
    expect(packed?.headers.get('Content-Encoding')).toBe('gzip')
    expect(sent.byteLength).toBeLessThan(bytes.byteLength / 2)
    const headers = { 'Content-Type': packed?.headers.get('Content-Type') ?? '' }
    const second = fileIn(await new Response(gunzipSync(sent), { headers }).formData())
    expect([second.name, await second.text()]).toEqual(['blöb".csv', text])
    expect(Object.fromEntries(done?.headers ?? [])).toMatchObject({
      'content-type': 'text/csv',
      'content-encoding': 'gzip',
      'content-disposition': "attachment; filename*=UTF-8''%C3%BC.csv",
    })
    expect(await done?.text()).toBe('packed')
  })

  const BIG = '{"medication_id":"1","name":"Big ref","refid":450229981000132104}'
  const page = () => new Response(`{"items":[${BIG}],"count":1,"total":1,"has_more":false,"limit":1,"offset":0}`)

  it('reads a number in a refid as the service sent it, and sends it back unchanged', async () => {
    const { client, requests } = clientWith((request, number) => (number === 1 ? page() : wrapped(writtenBy(request))))
    for await (const record of client.records(type)) await client.sync(type, [record])
    expect(await requests[1]?.text()).toBe(`[${BIG}]`)
  })

  it('reads it as a number if the integration chooses that, for all calls or for one', async () => {
    for (const [options, call] of [
      [{ exact: false }, {}],
      [{}, { exact: false }],
    ]) {
      const { items } = await clientWith(page, options).client.get(DATASETS, { query: { type }, ...call })
      expect(typeof items[0]?.refid).toBe('number')
    }
  })

  it('rejects changing it if the engine cannot preserve it, and reads everything else there', async () => {
    const { rawJSON } = JSON
    Reflect.deleteProperty(JSON, 'rawJSON')
    onTestFinished(() => {
      Object.assign(JSON, { rawJSON })
    })
    let requests = 0
    const read = (refid: string) => {
      const answer = () => new Response(`{"items":[{"refid":${refid}}],"total":${++requests}}`)
      return clientWith(answer).client.get(DATASETS, { query: { type } })
    }
    await expect(read('450229981000132104')).rejects.toThrow('would change a number in a refid')
    expect(requests).toBe(1)
    expect((await read('45')).total).toBe(2)
  })
})

it('an error contains the status, the codes of its fields, the OAuth code and the request ID', async () => {
  const errors = ['required', 'wrong_type', 'required'].map((code) => ({ field: 'name', msg: 'no', code }))
  const { client, fetch } = clientWith(({ url }) =>
    url.endsWith('/token')
      ? refusal(401, { error: 'invalid_client' })
      : refusal(400, { errors }, { 'X-Request-Id': 'id-1' }),
  )
  await expect(client.get(DATASETS, { query: { type } })).rejects.toMatchObject({
    ...{ status: 400, code: 'invalid_request', codes: ['required', 'wrong_type'], requestId: 'id-1' },
  })
  const tokens = clientCredentials({ baseUrl: '', clientId: 'id', clientSecret: 'no', apiKey: 'key', fetch })
  await expect(tokens.token()).rejects.toMatchObject({ status: 401, oauth: 'invalid_client' })
})

describe('on an unreliable connection', () => {
  it('a read is repeated until there is a response, at most four times', async () => {
    const twice = clientWith((_, number) => (number < 3 ? undefined : Response.json(PAGE)))
    expect((await twice.client.get(DATASETS, { query: { type } })).total).toBe(0)
    expect(twice.requests).toHaveLength(3)
    const always = clientWith(() => undefined)
    const call = always.client.get(DATASETS, { query: { type } })
    await expect(call).rejects.toMatchObject({ status: 0, code: 'unreachable' })
    expect(always.requests).toHaveLength(4)
  })

  it('a search by POST is repeated', async () => {
    const { client, requests } = clientWith((_, number) => (number === 1 ? undefined : wrapped({ count: 0 })))
    expect(await client.search(type, 'aspirin')).toMatchObject({ count: 0 })
    expect(requests).toHaveLength(2)
  })

  it('a request with a partner token is not repeated, because the token may be used up', async () => {
    const { client, requests } = clientWith(() => undefined)
    const call = client.get(DATASETS, { query: { type }, headers: { 'X-Auth-Token': 'token' } })
    await expect(call).rejects.toMatchObject({ status: 0 })
    expect(requests).toHaveLength(1)
  })

  it('a request is repeated after the wait that the service asks for, unless that is long', async () => {
    const busy = (seconds: string) => refusal(503, {}, { 'Retry-After': seconds })
    const soon = clientWith((_, number) => (number === 1 ? busy('0') : Response.json(PAGE)))
    await soon.client.get(DATASETS, { query: { type } })
    expect(soon.requests).toHaveLength(2)
    const late = clientWith(() => busy('3600'))
    const call = late.client.get(DATASETS, { query: { type } })
    await expect(call).rejects.toMatchObject({ status: 503, retryAfterMs: 3_600_000 })
    expect(late.requests).toHaveLength(1)
  })

  it('an aborted call ends immediately, with the reason of its signal', async () => {
    const stop = new AbortController()
    const { client, requests } = clientWith(() => {
      stop.abort(new Error('enough'))
      return undefined
    })
    await expect(client.get(DATASETS, { query: { type }, signal: stop.signal })).rejects.toThrow('enough')
    expect(requests).toHaveLength(1)
  })
})

it('a blocked sync throws an error with the reason and the ID of the pending upload', async () => {
  const stop = { code: 'shrink_guard', would_deactivate: 2, upload_id: 'u', held_until: '2026-01-01T00:00:00Z' }
  const { client } = clientWith(() => refusal(409, { errors: [stop] }))
  expect(await client.sync(type, [], { mode: 'reconcile' })).toMatchObject({
    ...{ outcome: 'stopped', stops: [{ code: 'shrink_guard', would_deactivate: 2 }], waiting: { uploadId: 'u' } },
  })
})

it('a mirror starts over if the service requests it, and not after another error', async () => {
  const steps = async (client: CatalogClient) => {
    const made = []
    for await (const step of client.mirror(type, { revision: 2, epoch: 'old' })) made.push(step)
    return made
  }
  const page = { items: [], revision: 3, epoch: 'new', cursor: null }
  const old = clientWith((_, number) =>
    number === 1 ? refusal(409, { errors: [{ code: 'start_again' }] }) : wrapped(page),
  )
  expect(await steps(old.client)).toMatchObject([{ isFresh: true, position: { revision: 3, epoch: 'new' } }])
  expect(old.requests.map(({ url }) => new URL(url).searchParams.get('since_revision'))).toEqual(['2', '0'])
  const failing = clientWith(() => refusal(409, { errors: [] }))
  await expect(steps(failing.client)).rejects.toMatchObject({ status: 409 })
  expect(failing.requests).toHaveLength(1)
})

it('simultaneous calls share the token of client credentials, and a new one after a rejection', async () => {
  let granted = 0
  const { requests, fetch } = clientWith(({ url, headers }) => {
    if (url.endsWith('/token')) return Response.json({ access_token: `token-${++granted}`, expires_in: 900 })
    return headers.get('Authorization') === 'Bearer token-2' ? Response.json(PAGE) : refusal(401, {})
  })
  const tokens = clientCredentials({ baseUrl: '', clientId: 'id', clientSecret: 's', apiKey: 'key', fetch })
  const client = new ServiceClient({ tokens, fetch })
  await Promise.all([1, 2].map(() => client.get(DATASETS, { query: { type } })))
  expect(granted).toBe(2)
  expect(requests).toHaveLength(6)
})
