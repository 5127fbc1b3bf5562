import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { version } from '../../../../package.json'
import { call, catalogOfEachTest, dataOf, newCatalog } from '../../../support/catalog'
import { CATALOGS, TestHistory, taggedReads } from '../../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

it('the status of a catalog belongs to its type and workspace', async () => {
  const counts = { active_records: 0, total_records: 0, oldest_restorable_revision: 0 }
  expect(await history.status()).toMatchObject({ ...counts, revision: 0, updated_at: null, last_write: null })
  await catalog.write([catalog.record('a'), catalog.record('b', { is_active: false })])
  await (await newCatalog()).write([catalog.record('theirs')])
  const written = await history.status()
  expect(written).toMatchObject({ revision: 1, active_records: 1, total_records: 2, search_enabled: false })
  expect(written.last_write).toEqual((await history.writes()).items[0])
  expect(written.updated_at).toBe((await catalog.get('a')).updated_at)
  await catalog.setSearch(true)
  await catalog.write([catalog.record('a')])
  const { updated_at } = written
  const last_write = { unchanged: 1, format: 'json', restored_revision: null }
  expect(await history.status()).toMatchObject({ revision: 1, search_enabled: true, updated_at, last_write })
  const { items } = dataOf<{ items: { type: string }[] }>(await call(catalog.workspace.token, 'GET', `${CATALOGS}/`))
  expect(items.map(({ type }) => type)).toEqual([...RECORD_TYPES])
  expect(items[0]).toEqual(await history.status())
  for (const path of ['/drug', '/drug/changes'])
    expect((await call(catalog.workspace.token, 'GET', CATALOGS + path)).status).toBe(404)
})

it('an entity tag returns 304 until the catalog or the search setting changes', async () => {
  await catalog.write([catalog.record('a')])
  // The release decides the form of a medication.
  expect((await catalog.send('GET', '/a/')).headers.get('ETag')).toMatch(new RegExp(`^W/".+-${version}"$`))
  for (const read of taggedReads(history)) {
    const first = await read({})
    const tag = first.headers.get('ETag')!
    for (const given of [tag, `"x", ${tag.replace('W/', '')}`, '*'])
      expect((await read({ 'If-None-Match': given })).status).toBe(304)
    expect(await read({ 'If-None-Match': '"x"' })).toMatchObject({ status: 200, text: first.text })
    await catalog.write([catalog.record('a', { strength: crypto.randomUUID().slice(0, 8) })])
    const changed = await read({ 'If-None-Match': tag })
    expect(changed.status).toBe(200)
    await catalog.setSearch(!(await history.status()).search_enabled)
    expect((await read({ 'If-None-Match': changed.headers.get('ETag')! })).status).toBe(200)
  }
})

it('the history can only be read in its own workspace', async () => {
  const theirs = await newCatalog()
  await theirs.write([theirs.record('a', { strength: 'secret' })])
  const batchId = (await new TestHistory(theirs).status()).last_write!.batch_id
  expect((await history.send('GET', `/writes/${batchId}/changes`)).status).toBe(404)
  expect((await history.send('GET', '/records/a/history')).status).toBe(404)
  expect(await history.writes()).toMatchObject({ items: [], total: 0 })
  expect(await history.changes()).toMatchObject({ items: [], revision: 0 })
  await history.restore(0)
  expect(await env.DB.prepare('select count(*) as n from records where is_active = 1').first('n')).toBe(1)
})
