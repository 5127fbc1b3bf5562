import { describe, expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { catalogOfEachTest, csvBody, type Fields, newCatalog } from '../../support/catalog'
import { callOperator, requestToken } from '../../support/credentials'
import { NotDescribed, throughGateway } from '../../support/gateway'
import { jsonBody } from '../../support/service'

const gateway = throughGateway()
const BASE = '/admin/datasets/v1/'

const catalog = catalogOfEachTest()

const authorized = (init: RequestInit = {}): RequestInit => {
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${catalog.workspace.token}`)
  return { ...init, headers }
}

const send = (path: string, init: RequestInit = {}) => gateway(path, authorized(init))
const sent = async (path: string, init: RequestInit = {}) => {
  const response = await send(path, init)
  const text = await response.text()
  return { status: response.status, text }
}
const write = (body: unknown, query = '') =>
  sent(`${BASE}?type=medication${query}`, { method: 'POST', ...jsonBody(body) })

const whole: Fields = {
  medication_id: 'a/b',
  name: 'Metformin',
  display_name: 'Metformin 500',
  aliases: ['Glucophage'],
  generic_list: ['Metformin'],
  form_name: 'TABLET',
  otc: false,
  refid: { any: [1, null] },
}

describe('a gateway that validates by the API description', () => {
  it.each([
    ['a list', [whole]],
    ['records', { records: [whole] }],
    ['items', { items: [whole] }],
    ['no records', []],
    ['nulls for absent values', [{ ...whole, sku: null, aliases: null, updated_at: 'x', form_id: null }]],
    ['a field that nobody knows', [{ ...whole, colour: 'red' }]],
  ])('lets a write of %s through', async (_, body) => {
    expect(await write(body)).toMatchObject({ status: 200 })
    expect(await write(body, '&mode=reconcile&dry_run=true&include=diff')).toMatchObject({ status: 200 })
  })

  it('lets a part of a record through, whose other fields keep their values', async () => {
    await catalog.write([whole])
    expect(await write([{ medication_id: 'a/b', otc: true }], '&keep_missing=true')).toMatchObject({ status: 200 })
  })

  it.each(RECORD_TYPES)('lets a page of the type %s through in both directions', async (type) => {
    const other = (await newCatalog(type)).through(gateway)
    await other.write(other.records(3))
    expect(await other.write(await other.list())).toMatchObject({ unchanged: 3 })
  })

  const READS = [
    `${BASE}?type=medication`,
    `${BASE}?type=medication&q=met&limit=5&offset=0&show_inactive=1`,
    `${BASE}?type=medication&format=csv`,
    `${BASE}batches/?type=medication`,
    `${BASE}search-status/?type=medication`,
    `${BASE}drug-forms/`,
    `${BASE}${encodeURIComponent('a/b')}/?type=medication`,
    `${BASE}none/?type=medication`,
    '/medical-db/v1/search/?type=medication&q=met&source=workspace',
    '/admin/catalogs/v1/',
    '/admin/catalogs/v1/medication',
    '/admin/catalogs/v1/medication/writes?limit=2',
    '/admin/catalogs/v1/medication/changes?since_revision=0',
    `/admin/catalogs/v1/medication/records/${encodeURIComponent('a/b')}/history`,
    '/health',
    '/openapi.json',
    '/docs',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
  ]

  it('lets reads through, of what is there, of what is not, and of what has not changed', async () => {
    await catalog.write([whole])
    for (const path of READS) expect([200, 404], path).toContain((await sent(path)).status)
    const first = await send(READS[0]!)
    await first.text()
    expect((await send(READS[0]!, { headers: { 'If-None-Match': first.headers.get('ETag')! } })).status).toBe(304)
  })

  it('lets files through: CSV by itself and in a form, and the diff as a file', async () => {
    const csv = 'medication_id,name\na,Metformin\nb,Aspirin\n'
    const form = new FormData()
    form.set('file', new Blob([csv]), 'file.csv')
    const post = (init: RequestInit, query = '') => sent(`${BASE}?type=medication${query}`, { method: 'POST', ...init })
    expect(await post(csvBody(csv))).toMatchObject({ status: 200 })
    expect(await post({ body: form })).toMatchObject({ status: 200 })
    const text = expect.stringContaining('change,id,name')
    expect(await post(csvBody(csv), '&dry_run=true&include=diff&format=csv')).toMatchObject({ status: 200, text })
  })

  it('lets every refusal of a write through, the undoing of a write and the switch', async () => {
    await catalog.write([whole, catalog.record('b'), catalog.record('c')])
    expect((await write([whole], '&mode=reconcile')).status).toBe(409)
    expect((await write([whole], '&expected_revision=9')).status).toBe(409)
    const csv = csvBody('medication_id,name\na,\n')
    expect((await sent(`${BASE}?type=medication`, { method: 'POST', ...csv })).status).toBe(400)
    expect((await gateway(`${BASE}?type=medication`)).status).toBe(401)
    const restore = '/admin/catalogs/v1/medication/restore?revision=0&confirm_shrink=true'
    expect((await sent(restore, { method: 'POST' })).status).toBe(200)
    const path = `${BASE}search-status/?type=medication`
    expect((await sent(path, { method: 'POST', ...jsonBody({ enabled: true }) })).status).toBe(200)
  })

  it('lets token requests through, right and wrong, and the calls of an operator', async () => {
    expect((await requestToken(catalog.workspace, gateway)).status).toBe(200)
    expect((await requestToken({ ...catalog.workspace, apiKey: 'wrong' }, gateway)).status).toBe(401)
    expect((await callOperator('/workspaces', { name: 'a workspace' }, 'POST', gateway)).status).toBe(200)
    for (const path of ['/workspaces', '/clients'])
      expect((await callOperator(path, undefined, 'GET', gateway)).status).toBe(200)
  })

  it('stops what is not described', async () => {
    await expect(send(`${BASE}?type=medication&colour=red`)).rejects.toThrow(NotDescribed)
    await expect(send(`${BASE}?type=cutlery`)).rejects.toThrow(NotDescribed)
    await expect(write([{ medication_id: 7 }])).rejects.toThrow(NotDescribed)
    await expect(send('/admin/nothing')).rejects.toThrow(NotDescribed)
  })
})
