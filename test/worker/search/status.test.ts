import { beforeEach, describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()

beforeEach(() => catalog.write([catalog.record('a')]))

describe('the search status', () => {
  it('is off until it is set, then has the last value', async () => {
    expect(await catalog.searchStatus()).toEqual({ type: 'medication', enabled: false, updated_at: null })
    const on = await catalog.setSearch(true)
    expect(on).toMatchObject({ type: 'medication', enabled: true })
    expect(await catalog.searchStatus()).toEqual(on)
    const off = await catalog.setSearch(false)
    expect(off.enabled).toBe(false)
    expect(Date.parse(off.updated_at!)).toBeGreaterThanOrEqual(Date.parse(on.updated_at!))
    expect(await catalog.searchStatus()).toEqual(off)
  })

  it('can be set for a type without records, and does not touch records, revision or other types', async () => {
    const symptoms = await newCatalog('symptom')
    await symptoms.setSearch(true)
    expect(await symptoms.list()).toMatchObject({ total: 0 })
    expect(await symptoms.write([symptoms.record('a')])).toMatchObject({ inserted: 1, revision: 1 })
    await catalog.setSearch(true)
    expect(await catalog.write([catalog.record('a')])).toMatchObject({ unchanged: 1, revision: 1 })
    expect((await catalog.send('GET', '/search-status/', { type: 'lab_test' })).body).toMatchObject({
      data: { enabled: false },
    })
    expect((await symptoms.searchStatus()).enabled).toBe(true)
  })

  it('is not set by a body without true or false', async () => {
    for (const body of ['{}', '{"enabled":"true"}', '{"enabled":null}', '[]', '']) {
      const init = { body, headers: { 'Content-Type': 'application/json' } }
      await catalog.refused(400, catalog.send('POST', '/search-status/', {}, init))
    }
    expect((await catalog.searchStatus()).updated_at).toBeNull()
  })
})
