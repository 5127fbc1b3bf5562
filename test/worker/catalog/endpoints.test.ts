import { beforeEach, expect, it } from 'vitest'
import { catalogEndpoints } from '#worker/catalog/endpoints'
import { call, catalogOfEachTest, csvBody, DATASETS } from '../../support/catalog'
import { jsonBody } from '../../support/service'

const catalog = catalogOfEachTest()

beforeEach(() => catalog.write([catalog.record('a')]))

const WRITE = jsonBody([{ medication_id: 'b', name: 'B' }])

it.each(catalogEndpoints.filter(({ operationId }) => operationId !== 'listDrugForms'))(
  'the type of $method $path must be one of the four types, which the error lists',
  async ({ method, path }) => {
    const init = method === 'post' ? WRITE : {}
    for (const query of ['', 'type=drug', 'Type=medication']) {
      const target = `${path.replace('{entity_id}', 'a')}?${query}`
      const { message, errors } = await catalog.refused(
        400,
        call(catalog.workspace.token, method.toUpperCase(), target, init),
      )
      expect(message, query).toBe('type must be one of medication, lab_test, symptom, diagnosis')
      expect(errors).toContainEqual(expect.objectContaining({ index: null, field: 'type' }))
    }
    expect(await catalog.ids()).toEqual(['a'])
  },
)

it.each([
  ['mode', ['', 'replace', 'Upsert']],
  ['dry_run', ['', '1', 'yes', 'TRUE']],
  ['expected_revision', ['', '-1', '1.0', 'x']],
  ['dryRun', ['true']],
])('the query parameter %s of a write accepts no other value', async (field, values) => {
  for (const value of values) {
    const { errors } = await catalog.refused(400, catalog.send('POST', '/', { [field]: value }, WRITE))
    expect(errors, value).toMatchObject([{ index: null, field }])
  }
  expect(await catalog.ids()).toEqual(['a'])
})

it('an unsupported content type returns 415 with the supported ones', async () => {
  const text = csvBody('[]', { 'Content-Type': 'text/plain' })
  const { message } = await catalog.refused(415, catalog.send('POST', '/', {}, text))
  expect(message).toContain('text/csv')
  await catalog.refused(415, catalog.send('POST', '/search-status/', {}, csvBody('enabled\ntrue')))
})

it('unknown paths return 401 without a token and 404 with one', async () => {
  const paths = [`${DATASETS}/a/b/`, `${DATASETS}/batches/x`, '/admin/workspace/v1/clients', '/admin', '/medical-db/v1']
  for (const path of paths) {
    expect((await call(catalog.workspace.token, 'GET', path)).status, path).toBe(404)
    expect((await call(null, 'GET', path)).status, path).toBe(401)
  }
})
