import { beforeEach, describe, expect, it } from 'vitest'
import { catalogEndpoints } from '#worker/catalog/endpoints'
import { call, catalogOfEachTest, DATASETS } from '../../support/catalog'
import { jsonBody } from '../../support/service'

const catalog = catalogOfEachTest()

beforeEach(() => catalog.write([catalog.record('a')]))

const WRITE = jsonBody([{ medication_id: 'b', name: 'B' }])

it('an answer has the request id of the caller, or a new one if that is not well formed', async () => {
  for (const [sent, id] of [
    ['mine-1._', /^mine-1\._$/],
    ['not well formed', /^[\da-f-]{36}$/],
  ] as const) {
    const { headers } = await catalog.send('GET', '/', {}, { headers: { 'X-Request-Id': sent } })
    expect(headers.get('X-Request-Id')).toMatch(id)
  }
})

it.each(catalogEndpoints.filter(({ operationId }) => operationId !== 'listDrugForms'))(
  'the type of $method $path is sent once and is one of the four types, which a refusal names',
  async ({ method, path }) => {
    const repeated = ['type=medication&type=medication', 'type=symptom&type=medication']
    const names = 'must be one of medication, lab_test, symptom, diagnosis'
    const init = method === 'post' ? WRITE : {}
    for (const query of ['', 'type=drug', 'type=Medication', 'Type=medication', ...repeated]) {
      const target = `${path.replace('{entity_id}', 'a')}?${query}`
      const { status, body } = await call(catalog.workspace.token, method.toUpperCase(), target, init)
      expect(status, query).toBe(400)
      expect(body).toMatchObject({
        message: `type ${repeated.includes(query) ? 'must be sent at most once, and ' : ''}${names}`,
        errors: expect.arrayContaining([expect.objectContaining({ index: null, field: 'type' })]),
      })
    }
    expect(await catalog.ids()).toEqual(['a'])
  },
)

describe('query parameters', () => {
  it.each([
    ['mode', ['', 'replace', 'Upsert']],
    ['dry_run', ['', '1', 'yes', 'TRUE']],
    ['confirm_shrink', ['1']],
    ['expected_revision', ['', '-1', '1.0', 'x']],
    ['dryRun', ['true']],
  ])('%s of a write takes nothing else', async (field, values) => {
    for (const value of values) {
      const { errors } = await catalog.refused(400, catalog.send('POST', '/', { [field]: value }, WRITE))
      expect(errors, value).toMatchObject([{ index: null, field }])
    }
    expect(await catalog.ids()).toEqual(['a'])
  })

  it('that have no name are refused, and an empty part of the query is none', async () => {
    const send = (query: string) => call(catalog.workspace.token, 'GET', `${DATASETS}/?type=medication${query}`)
    for (const query of ['&=1', '&=', '&%3D&=x']) {
      const { status, body } = await send(query)
      expect(status, query).toBe(400)
      expect(body, query).toMatchObject({
        message: expect.stringMatching(/^(?:The query has a parameter without a name|= is not)/),
        errors: expect.arrayContaining([expect.objectContaining({ field: null, code: 'unknown_parameter' })]),
      })
    }
    for (const query of ['&', '&&limit=1&']) expect((await send(query)).status, query).toBe(200)
  })
})

it('a content type that an endpoint does not take is answered 415, naming the types that it takes', async () => {
  for (const type of ['text/plain', 'json', '']) {
    const init = { body: '[]', headers: { 'Content-Type': type } }
    const { message } = await catalog.refused(415, catalog.send('POST', '/', {}, init))
    expect(message, type).toContain('text/csv')
  }
  const csv = { body: 'enabled\ntrue', headers: { 'Content-Type': 'text/csv' } }
  await catalog.refused(415, catalog.send('POST', '/search-status/', {}, csv))
})

it('paths that do not exist are 401 without a token and 404 with one', async () => {
  const paths = [`${DATASETS}/a/b/`, `${DATASETS}/batches/x`, '/admin/workspace/v1/clients', '/admin', '/medical-db/v1']
  for (const path of paths) {
    expect((await call(catalog.workspace.token, 'GET', path)).status, path).toBe(404)
    expect((await call(null, 'GET', path)).status, path).toBe(401)
  }
})

it('the list of drug forms needs no type and names the forms that a medication is linked to', async () => {
  const { status, body } = await call(catalog.workspace.token, 'GET', `${DATASETS}/drug-forms/`)
  expect(status).toBe(200)
  const { items, count } = (body as { data: { items: { form_id: string; name: string }[]; count: number } }).data
  expect(count).toBe(items.length)
  const names = [...items.map(({ name }) => `  ${name.toUpperCase()} `), 'Magic potion']
  await catalog.reconcile(
    names.map((form_name, n) => catalog.record(`f${n}`, { form_name })),
    { confirm_shrink: true },
  )
  const linked = (await catalog.list({ limit: 1000 })).items.map((item) => item.form_id).reverse()
  expect(linked).toEqual([...items.map(({ form_id }) => form_id), null])
})
