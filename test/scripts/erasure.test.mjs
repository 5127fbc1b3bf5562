import { afterAll, beforeAll, expect, it } from 'vitest'
import { TwoIsolates } from '../support/two-isolates.mjs'

/** Number of rounds. Increase it when running by hand, because each round has its own timing. */
const ROUNDS = Number(process.env.ERASURE_ROUNDS ?? 3)

const SETTLED_MS = 91_000

/** @type {TwoIsolates} */
let service

beforeAll(async () => {
  service = await TwoIsolates.start()
})
afterAll(() => service?.close())

/** A workspace, and the headers of its client. */
async function newWorkspace() {
  const { data: workspace } = await service.operator('POST', '/workspaces', { name: 'clinic' })
  const { data: client } = await service.operator('POST', '/clients', { name: 'program' })
  const path = `/workspaces/${workspace.workspace_id}`
  const { data: key } = await service.operator('POST', `${path}/api-keys`, { client_id: client.client_id })
  const response = await service.call('b', '/api/v1/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': key.api_key },
    body: JSON.stringify({ grant_type: 'client_credentials', ...client }),
  })
  const { access_token } = await response.json()
  return { id: workspace.workspace_id, path, headers: { Authorization: `Bearer ${access_token}` } }
}

/** A request whose body begins now and ends when `end` is called. @returns {{ end: () => Promise<number> }} */
function slow(isolate, target, headers, body) {
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  let controller
  const stream = new ReadableStream({
    start(given) {
      controller = given
      controller.enqueue(new TextEncoder().encode(body.slice(0, 20)))
    },
  })
  const response = service.call(isolate, target, { method: 'POST', headers, body: stream, duplex: 'half' })
  return {
    async end() {
      controller.enqueue(new TextEncoder().encode(body.slice(20)))
      controller.close()
      return (await response).status
    },
  }
}

const FORM = { 'Content-Type': 'multipart/form-data; boundary=b' }
const DOCUMENT =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nletter of a patient\r\n--b--\r\n'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const records = (count) =>
  JSON.stringify(Array.from({ length: count }, (_, n) => ({ symptom_id: `${n}`, name: `s ${n}` })))

/**
 * Tables that refer to a workspace or a catalog, with the condition for its rows. Includes those of the control
 * database.
 */
const OWNED = `select tables.name, columns.name as owner
  from pragma_table_list as tables join pragma_table_info(tables.name) as columns
  where tables.schema = 'main' and tables.type = 'table' and tables.name <> 'workspaces'
    and columns.name in ('workspace_id', 'catalog_id') and tables.name not glob '_cf_*'`

/** Tables that still have rows of a workspace or of any catalog, and objects of the bucket. */
async function remains(id) {
  const tables = await service.rows(OWNED)
  expect(tables.length).toBeGreaterThan(15)
  const filled = []
  for (const { name, owner } of tables) {
    // Catalogs of earlier rounds are also gone.
    const condition = owner === 'workspace_id' ? 'workspace_id = ?1' : '?1 is not null'
    const [{ count }] = await service.rows(`select count(*) as count from "${name}" where ${condition}`, id)
    if (count > 0) filled.push(name)
  }
  return [...filled, ...(await service.objects())]
}

it('earlier requests store nothing after an erasure, even if their isolate caches the active state', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, path, headers } = await newWorkspace()
    const write = '/admin/datasets/v1/?type=symptom'
    const json = { ...headers, ...JSON_TYPE }
    const held = `${write}&dry_run=true&hold=true`
    expect((await service.call('b', write, { method: 'POST', headers: json, body: records(3) })).status).toBe(200)
    const guarded = `${write}&mode=reconcile`
    const slowly = ['a', 'b'].flatMap((isolate) => [
      slow(isolate, '/mr/api/v2/docs', { ...headers, ...FORM }, DOCUMENT),
      slow(isolate, write, json, records(5)),
      slow(isolate, held, json, records(4)),
      slow(isolate, guarded, json, records(1)),
      slow(isolate, '/admin/datasets/v1/search-status/?type=symptom', json, JSON.stringify({ enabled: true })),
      slow(isolate, '/registration/v1/init', json, JSON.stringify({ mobile_number: '+919876543210', name: 'patient' })),
    ])
    // Some end during the erasure.
    const during = slow('b', '/mr/api/v2/docs', { ...headers, ...FORM }, DOCUMENT)
    await service.operator('PUT', `${path}/state`, { state: 'suspended' })
    const first = service.operator('DELETE', `${path}?confirm=${id}`)
    const duringStatus = during.end()
    expect(await first).toMatchObject({ status: 202, data: { left: expect.any(Object) } })
    await duringStatus
    await service.setClock('a', SETTLED_MS)
    expect(await service.operator('DELETE', `${path}?confirm=${id}`)).toMatchObject({ data: { erased: true } })
    await service.setClock('a', 0)
    const late = [
      ...slowly.map((request) => request.end()),
      service.call('b', write, { method: 'POST', headers: json, body: records(2) }).then(({ status }) => status),
      service.call('b', held, { method: 'POST', headers: json, body: records(2) }).then(({ status }) => status),
      service
        .call('b', '/mr/api/v2/docs', { method: 'POST', headers: { ...headers, ...FORM }, body: DOCUMENT })
        .then(({ status }) => status),
    ]
    expect(new Set(await Promise.all(late))).toEqual(new Set([403]))
    await expect.poll(() => remains(id)).toEqual([])
  }
})
