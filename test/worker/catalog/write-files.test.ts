import { expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'

const catalog = catalogOfEachTest()

it('a page sent back as the whole catalog is refused in a reconcile and taken in an upsert', async () => {
  await catalog.write(catalog.records(4))
  const page = await catalog.list({ limit: 2 })
  const { errors } = await catalog.refused(400, catalog.post(page, { mode: 'reconcile' }))
  expect(errors).toMatchObject([{ field: 'has_more' }])
  expect((await catalog.list()).total).toBe(4)
  expect(await catalog.write(page)).toMatchObject({ unchanged: 2 })
})

it('a file that ends inside a row of fewer cells is refused in a reconcile, and warned of in an upsert', async () => {
  const cut = 'medication_id,name,strength\na,A,1\nb,B,2\nc,C'
  const { errors } = await catalog.refused(400, catalog.postCsv(cut, { mode: 'reconcile' }))
  expect(errors).toMatchObject([{ index: 3, code: 'cut_off' }])
  expect(await catalog.upload(cut)).toMatchObject({
    inserted: 3,
    warnings: [{ code: 'cut_off', msg: expect.stringContaining('row 3') }],
  })
})
