import { beforeEach, describe, expect, it } from 'vitest'
import type { FieldError } from '#shared/errors/errors'
import { type Answer, call, DATASETS, newCatalog, type TestCatalog } from '../../../support/catalog'

let catalog: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog()
  await catalog.write([catalog.record('a')])
})

const send = (path: string, method = 'GET'): Promise<Answer> =>
  call(catalog.workspace.token, method, path, method === 'POST' ? { body: '' } : {})

/** Sends a request that must be refused, and returns the first error and the message. */
async function refusal(path: string, method?: string): Promise<FieldError & { message: string }> {
  const { status, body } = await send(path, method)
  expect(status, path).toBe(400)
  const { message, errors } = body as { message: string; errors: [FieldError] }
  return { message, ...errors[0] }
}

const LIST = `${DATASETS}/?type=medication`

describe('a parameter that is sent twice', () => {
  it.each([
    ['type', `${DATASETS}/?type=medication&type=symptom`, 'must be one of medication, lab_test, symptom'],
    ['limit', `${LIST}&limit=1&limit=2`, 'must be a whole number from 1 to 1000'],
    ['q', `${LIST}&q=a&q=b`, 'must be a text'],
    ['format', `${LIST}&format=csv&format=csv`, 'must be json or csv'],
    ['updated_since', `${LIST}&updated_since=2026-01-01&updated_since=2026-01-01`, 'must be an ISO 8601'],
    ['cursor', '/admin/catalogs/v1/symptom/changes?cursor=1.1.1&cursor=1.1.1', 'must be the cursor'],
  ])('is refused: %s, with what is wrong, what is right, and both values', async (name, path, right) => {
    const { message, field, code, value } = await refusal(path)
    expect(message).toContain(`${name} must be sent at most once, and ${right}`)
    expect([field, code]).toEqual([name, 'repeated_parameter'])
    expect(value).toEqual(new URL(path, 'https://catalog.test').searchParams.getAll(name))
  })
})

describe('a whole number', () => {
  it('may be any number up to its limit, and none beyond', async () => {
    for (const offset of ['1000000000000000', '9007199254740991']) {
      const { status, body } = await send(`${LIST}&offset=${offset}`)
      expect(status, offset).toBe(200)
      expect(body).toMatchObject({ items: [], total: 1, offset: Number(offset), has_more: false })
    }
    for (const offset of ['9007199254740992', '9'.repeat(400)]) {
      expect((await refusal(`${LIST}&offset=${offset}`)).code, offset).toBe('not_allowed')
    }
  })
})

describe('a time', () => {
  it.each(['2020-01-01', '2020-01-01T00:00', '2020-01-01T00:00Z', '2020-01-01T05:30+05:30', '2020-01-01T00:00:00.1Z'])(
    'may be %s',
    async (time) => {
      const { body } = await send(`${LIST}&updated_since=${encodeURIComponent(time)}`)
      expect(body).toMatchObject({ total: 1 })
    },
  )

  it.each(['2020-01-01T24:00Z', '2020-01-01T0:00Z', '2020-01-01T00Z', '2020-02-30T00:00Z', '00:00Z'])(
    'is not %s',
    async (time) => {
      expect((await refusal(`${LIST}&updated_since=${time}`)).field).toBe('updated_since')
    },
  )
})

describe('names and ids in messages', () => {
  const long = 'x'.repeat(300)
  const shown = `${'x'.repeat(200)}…`

  it('are cut after 200 characters', async () => {
    expect(await refusal(`${LIST}&${long}=1`)).toMatchObject({
      field: shown,
      message: expect.stringContaining(`${shown} is not a parameter`),
    })
    for (const path of [
      `${DATASETS}/${long}?type=medication`,
      `/admin/catalogs/v1/${long}`,
      `/admin/catalogs/v1/medication/records/${long}/history`,
      `/admin/catalogs/v1/medication/writes/${long}`,
    ]) {
      const { status, body } = await send(path)
      expect(status, path).toBe(404)
      expect(body).toMatchObject({ message: expect.stringContaining(`"${shown}"`) })
    }
  })
})
