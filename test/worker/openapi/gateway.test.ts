import { expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { catalogOfEachTest, csvBody, type Fields, newCatalog, type Query } from '../../support/catalog'
import { requestToken } from '../../support/credentials'
import { NotDescribed, throughGateway } from '../../support/gateway'
import { jsonBody } from '../../support/service'

// The example requests also pass this gateway.

const gateway = throughGateway()

const catalog = catalogOfEachTest().through(gateway)

const statusOf = async (init: RequestInit, query: Query = {}, method = 'POST'): Promise<number> =>
  (await catalog.send(method, '/', query, init)).status

const whole: Fields = {
  ...{ medication_id: 'a/b', name: 'Metformin', display_name: 'Metformin 500', aliases: ['Glucophage'] },
  ...{ generic_list: ['Metformin'], form_name: 'TABLET', otc: false, refid: { any: [1, null] } },
}

it.each([
  ['a list', [whole]],
  ['items', { items: [whole] }],
  ['no records', []],
  ['nulls for absent values', [{ ...whole, sku: null, aliases: null, updated_at: 'x', form_id: null }]],
])('a gateway that validates by the API description accepts a write of %s', async (_, body) => {
  expect(await statusOf(jsonBody(body))).toBe(200)
  expect(await statusOf(jsonBody(body), { mode: 'reconcile', dry_run: true, include: 'diff' })).toBe(200)
})

it.each(RECORD_TYPES)('it accepts a page of the type %s in both directions', async (type) => {
  const other = (await newCatalog(type)).through(gateway)
  await other.write(other.records(3))
  expect(await other.write(await other.list())).toMatchObject({ unchanged: 3 })
})

it('it accepts each kind of write and read', async () => {
  await catalog.write([whole])
  expect(await statusOf(jsonBody([{ medication_id: 'a/b', otc: true }]), { keep_missing: true })).toBe(200)
  const csv = 'medication_id,name\na,Metformin\nb,Aspirin\n'
  const body = new FormData()
  body.set('file', new Blob([csv]), 'file.csv')
  for (const init of [csvBody(csv), { body }]) expect(await statusOf(init)).toBe(200)
  const { text } = await catalog.send('POST', '/', { dry_run: true, include: 'diff', format: 'csv' }, csvBody(csv))
  expect(text).toContain('change,id,name')
  expect(await statusOf({}, { format: 'csv' }, 'GET')).toBe(200)
  const filters = { q: 'met', limit: 5, offset: 0, show_inactive: 1 }
  const { headers } = await catalog.send('GET', '/', filters)
  expect(await statusOf({ headers: { 'If-None-Match': headers.get('ETag')! } }, filters, 'GET')).toBe(304)
  expect((await catalog.send('GET', '/none/')).status).toBe(404)
})

it('it accepts every error response, of writes and of token requests', async () => {
  await catalog.write([whole, catalog.record('b'), catalog.record('c')])
  expect(await statusOf(jsonBody([whole]), { mode: 'reconcile' })).toBe(409)
  expect(await statusOf(jsonBody([whole]), { expected_revision: 9 })).toBe(409)
  expect(await statusOf(csvBody('medication_id,name\na,\n'))).toBe(400)
  expect((await gateway('/admin/datasets/v1/?type=medication')).status).toBe(401)
  expect((await requestToken(catalog.workspace, gateway)).status).toBe(200)
  expect((await requestToken({ ...catalog.workspace, apiKey: 'wrong' }, gateway)).status).toBe(401)
})

it('it blocks requests that are not described', async () => {
  for (const [method, path, query, body] of [
    ['GET', '/', { colour: 'red' }, undefined],
    ['GET', '/', { type: 'cutlery' }, undefined],
    ['POST', '/', {}, [{ medication_id: 7 }]],
    ['PUT', '/', {}, []],
  ] as const)
    await expect(catalog.send(method, path, query, body && jsonBody(body))).rejects.toThrow(NotDescribed)
})
