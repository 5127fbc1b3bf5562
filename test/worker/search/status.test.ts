import { expect, it } from 'vitest'
import { catalogOfEachTest, TestCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()

it('partner search of a type is off until it is set', async () => {
  expect(await catalog.searchStatus()).toEqual({ type: 'medication', enabled: false, updated_at: null })
  const on = await catalog.setSearch(true)
  expect(on).toMatchObject({ type: 'medication', enabled: true })
  expect(await catalog.searchStatus()).toEqual(on)
  expect(await catalog.write([catalog.record('a')])).toMatchObject({ inserted: 1, revision: 1 })
  const off = await catalog.setSearch(false)
  expect(off.enabled).toBe(false)
  expect(Date.parse(off.updated_at!)).toBeGreaterThanOrEqual(Date.parse(on.updated_at!))
  expect(await catalog.searchStatus()).toEqual(off)
  expect(await catalog.write([catalog.record('a')])).toMatchObject({ unchanged: 1, revision: 1 })
  await catalog.setSearch(true)
  expect((await new TestCatalog(catalog.workspace, 'lab_test').searchStatus()).enabled).toBe(false)
})
