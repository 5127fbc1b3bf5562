import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { version } from '../../../../package.json'
import { call, catalogOfEachTest, newCatalog } from '../../../support/catalog'
import { CATALOGS, TestHistory, taggedReads } from '../../../support/history'
import { setWatch } from '../../../support/watches'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

describe('the status of a catalog', () => {
  it('is empty before the first write', async () => {
    expect(await history.status()).toEqual({
      ...{ type: 'medication', revision: 0, epoch: '0', oldest_restorable_revision: 0 },
      ...{ active_records: 0, total_records: 0, search_enabled: false, updated_at: null, last_write: null },
      sync: { state: 'unwatched', since: null, due_at: null, last_success_at: null, last_upload: null },
    })
  })

  it('has the counts, the last write and the switch of its own type and workspace only', async () => {
    await catalog.write([catalog.record('a'), catalog.record('b', { is_active: false })])
    await (await newCatalog()).write([catalog.record('theirs')])
    const latest = (await history.writes()).items[0]!
    const written = await history.status()
    expect(written).toMatchObject({ revision: 1, active_records: 1, total_records: 2, search_enabled: false })
    expect(written.last_write).toEqual(latest)
    expect(written.updated_at).toBe((await catalog.get('a')).updated_at)
    await catalog.setSearch(true)
    await catalog.write([catalog.record('a')])
    expect(await history.status()).toMatchObject({
      revision: 1,
      search_enabled: true,
      updated_at: written.updated_at,
      last_write: { unchanged: 1, format: 'json', restored_revision: null },
    })
    const all = await call(catalog.workspace.token, 'GET', `${CATALOGS}/`)
    expect(all.body).toMatchObject({ data: { items: RECORD_TYPES.map((type) => ({ type })) } })
    expect((all.body as { data: { items: unknown[] } }).data.items[0]).toEqual(await history.status())
    for (const path of ['/drug', '/drug/changes', '/Medication'])
      expect((await call(catalog.workspace.token, 'GET', CATALOGS + path)).status).toBe(404)
  })
})

it('an entity tag gives 304 for status, list, get and export until the catalog or the switch changes', async () => {
  await catalog.write([catalog.record('a')])
  for (const [path, name] of Object.entries({ '/': 'a list', '/a/': 'a record' })) {
    // The release decides the form of a medication.
    expect((await catalog.send('GET', path)).headers.get('ETag'), name).toMatch(new RegExp(`^W/".+-${version}"$`))
  }
  for (const read of taggedReads(history)) {
    const first = await read({})
    const tag = first.headers.get('ETag')!
    expect(first.status).toBe(200)
    for (const given of [tag, tag.replace('W/', ''), `"x", ${tag}`, '*']) {
      const again = await read({ 'If-None-Match': given })
      expect([again.status, again.headers.get('ETag')]).toEqual([304, tag])
    }
    const other = await read({ 'If-None-Match': '"x"' })
    expect([other.status, other.headers.get('ETag'), other.text]).toEqual([200, tag, first.text])
    await catalog.write([catalog.record('a', { strength: crypto.randomUUID().slice(0, 8) })])
    const changed = await read({ 'If-None-Match': tag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('ETag')).not.toBe(tag)
    const next = { 'If-None-Match': changed.headers.get('ETag')! }
    const { search_enabled } = await history.status()
    await catalog.setSearch(!search_enabled)
    expect((await read(next)).status).toBe(200)
  }
})

it('the entity tag of a status changes with everything that the status shows, even if the revision stays', async () => {
  const reads = [() => history.send('GET', '', {}, {}), () => call(catalog.workspace.token, 'GET', `${CATALOGS}/`)]
  const tags = () => Promise.all(reads.map(async (read) => (await read()).headers.get('ETag')))
  await catalog.write([catalog.record('a')])
  const seen = [await tags()]
  const changes = [
    // The last write is another one.
    () => catalog.write([catalog.record('a')]),
    () => env.DB.exec('update catalogs set history_from = 1'),
    () => catalog.setSearch(true),
    () => setWatch(catalog, { every_hours: 24 }),
    () => env.DB.exec('update watches set set_at = 1; update catalogs set last_success_at = 1'),
  ]
  for (const change of changes) {
    await change()
    seen.push(await tags())
    expect(await tags()).toEqual(seen.at(-1))
    const [before, after] = seen.slice(-2)
    after?.forEach((tag, n) => {
      expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/)
      expect(tag).not.toBe(before?.[n])
    })
  }
})

it('access to the history is limited to the own workspace', async () => {
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
