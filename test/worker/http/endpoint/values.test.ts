import { beforeEach, expect, it } from 'vitest'
import type { FieldError } from '#shared/errors/errors'
import { catalogOfEachTest, DATASETS } from '../../../support/catalog'
import { bearer, callService } from '../../../support/service'

const catalog = catalogOfEachTest()

beforeEach(() => catalog.write([catalog.record('a')]))

async function send(path: string, method = 'GET') {
  const headers = bearer(catalog.workspace.token)
  const response = await callService(path, { method, headers, ...(method === 'POST' ? { body: '' } : {}) })
  return { status: response.status, body: await response.json<unknown>() }
}

/** Sends a request that must be rejected, and returns the first error and the message. */
async function refusal(path: string, method?: string): Promise<FieldError & { message: string }> {
  const { status, body } = await send(path, method)
  expect(status, path).toBe(400)
  const { message, errors } = body as { message: string; errors: [FieldError] }
  return { message, ...errors[0] }
}

const LIST = `${DATASETS}/?type=medication`

it('a duplicate parameter is rejected with both values', async () => {
  for (const [name, path, right] of [
    ['type', `${DATASETS}/?type=medication&type=symptom`, 'must be one of medication, lab_test, symptom'],
    ['limit', `${LIST}&limit=1&limit=2`, 'must be a whole number from 1 to 1000'],
    ['q', `${LIST}&q=a&q=b`, 'must be a string'],
    ['cursor', '/admin/catalogs/v1/symptom/changes?cursor=1.1.1&cursor=1.1.1', 'must be the cursor'],
  ] as const) {
    const { message, field, code, value } = await refusal(path)
    expect(message).toContain(`${name} must be sent at most once, and ${right}`)
    expect([field, code]).toEqual([name, 'repeated_parameter'])
    expect(value).toEqual(new URL(path, 'https://catalog.test').searchParams.getAll(name))
  }
})

it('a whole number is accepted up to its limit', async () => {
  const offset = Number.MAX_SAFE_INTEGER
  const { status, body } = await send(`${LIST}&offset=${offset}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ items: [], total: 1, offset, has_more: false })
  for (const query of ['offset=9007199254740992', `offset=${'9'.repeat(400)}`, 'limit=0', 'limit=-1'])
    expect((await refusal(`${LIST}&${query}`)).code, query).toBe('not_allowed')
  for (const limit of ['-0', '1.5', '--1', '', '%20', '1e2', 'ten', '0x10', '%2B5', '+5', '10,5', '１'])
    expect((await refusal(`${LIST}&limit=${limit}`)).code, limit).toBe('malformed')
})

it('an invalid time is rejected', async () => {
  for (const time of ['2020-01-01T24:00Z', '2020-01-01T00Z', '2026-02-30', '2026-01-01T10:00:00+99:99', '12345', '']) {
    const error = await refusal(`${LIST}&updated_since=${encodeURIComponent(time)}`)
    expect(error).toMatchObject({ field: 'updated_since', value: time })
  }
})

it('a missing parameter is reported as required, without a value', async () => {
  const missing = { message: 'revision is required', field: 'revision', code: 'required', value: null }
  expect(await refusal('/admin/catalogs/v1/symptom/restore', 'POST')).toMatchObject(missing)
})

it('an unknown parameter is rejected with its value and the most similar name', async () => {
  const message = expect.stringContaining('did you mean offset?')
  expect(await refusal(`${LIST}&offest=1`)).toMatchObject({ message, value: '1' })
  expect((await refusal(`${LIST}&page=1&page=2`)).value).toEqual(['1', '2'])
})

it('names and IDs in messages are truncated after 200 characters', async () => {
  const long = 'x'.repeat(300)
  const shown = `${'x'.repeat(200)}…`
  const message = expect.stringContaining(`${shown} is not a parameter`)
  expect(await refusal(`${LIST}&${long}=1`)).toMatchObject({ field: shown, message })
  for (const path of [`${DATASETS}/${long}?type=medication`, `/admin/catalogs/v1/medication/writes/${long}`])
    expect(await send(path)).toMatchObject({ status: 404, body: { message: expect.stringContaining(`"${shown}"`) } })
})
