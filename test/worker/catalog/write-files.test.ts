import { beforeEach, describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()

beforeEach(() => catalog.post([catalog.record('1'), catalog.record('2'), catalog.record('3'), catalog.record('4')]))

const reconcile = async (body: BodyInit, headers: Record<string, string> = {}) => {
  const init = { body, headers: { 'Content-Type': 'text/csv', ...headers } }
  const { status, body: answer } = await catalog.send('POST', '/', { mode: 'reconcile' }, init)
  return { status, answer: answer as { message: string; errors: unknown[]; data: { warnings: unknown[] } } }
}

const json = (value: unknown) => reconcile(JSON.stringify(value), { 'Content-Type': 'application/json' })

it('a page sent back as the whole catalog is refused in a reconcile and taken in an upsert', async () => {
  const page = await catalog.list({ limit: 2 })
  expect(page).toMatchObject({ has_more: true })
  expect(await json(page)).toMatchObject({ status: 400, answer: { errors: [{ field: 'has_more' }] } })
  expect((await catalog.list()).total).toBe(4)
  expect((await catalog.post(page)).status).toBe(200)
})

describe('a file that ends without a line end inside a row of fewer cells', () => {
  const cut = 'medication_id,name,strength\na,A,1\nb,B,2\nc,C'

  it('is an error of that row in a reconcile', async () => {
    const catalog = await newCatalog()
    const { errors } = await catalog.refused(400, catalog.postCsv(cut, { mode: 'reconcile' }))
    expect(errors).toMatchObject([{ index: 3, code: 'cut_off' }])
  })

  it('is a warning in an upsert', async () => {
    const catalog = await newCatalog()
    const result = await catalog.upload(cut)
    expect(result.inserted).toBe(3)
    expect(result.warnings).toMatchObject([{ code: 'cut_off', msg: expect.stringContaining('row 3') }])
  })
})
