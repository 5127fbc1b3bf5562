import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../../support/catalog'
import { rowsIn } from '../../../support/databases'
import { TestHistory } from '../../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

const versions = () => rowsIn('DB', 'record_versions')

it('only records that a write changes get a version', async () => {
  for (let n = 0; n < 2; n++) await catalog.write(catalog.records(20))
  await catalog.refused(409, catalog.post([record('r0', { strength: 'x' })], { mode: 'reconcile' }))
  await catalog.refused(409, catalog.post([record('r0', { strength: 'x' })], { expected_revision: 7 }))
  expect(await versions()).toBe(0)
  const next = catalog.records(18, (n) => (n < 3 ? { strength: 'x' } : {}))
  await catalog.reconcile([...next, record('new')])
  expect(await versions()).toBe(5)
})

describe('the writes of a catalog', () => {
  it('are all listed, newest first, in pages', async () => {
    const { batch_id } = await catalog.upload('id,name\na,A\n', { mode: 'reconcile' })
    await catalog.write([record('a', { name: 'A' })])
    await history.restore(0, { confirm_shrink: true })
    const page = await history.writes()
    expect(page).toMatchObject({ count: 3, total: 3, limit: 100, offset: 0, has_more: false })
    expect(page.items).toMatchObject([
      { format: 'restore', mode: 'restore', revision: 2, restored_revision: 0 },
      { format: 'json', mode: 'upsert', revision: 1, unchanged: 1, total: 1, restored_revision: null },
      { format: 'csv', mode: 'reconcile', revision: 1, batch_id },
    ])
    const second = await history.writes({ limit: 1, offset: 1 })
    expect(second).toMatchObject({ items: [page.items[1]], count: 1, total: 3, has_more: true })
  })

  it('can be read one by one, within their catalog', async () => {
    await catalog.upload('id,name\na,A\n')
    const { items } = await history.writes()
    expect(await history.write(items[0]!.batch_id)).toEqual(items[0])
    const unknown = await catalog.refused(404, history.send('GET', `/writes/${crypto.randomUUID()}`))
    expect(unknown.message).toContain('medication')
    for (const other of [await newCatalog(), new TestCatalog(catalog.workspace, 'symptom')])
      await other.refused(404, new TestHistory(other).send('GET', `/writes/${items[0]!.batch_id}`))
  })

  it('show the effect of each write on each record, even after later writes', async () => {
    await catalog.write([record('a', { strength: '1' }), record('b'), record('c'), record('d', { is_active: false })])
    await catalog.reconcile(
      [record('a', { strength: '2' }), record('c', { is_active: false }), record('d'), record('e')],
      { confirm_shrink: true },
    )
    const { batch_id } = (await history.status()).last_write!
    const expected = [
      { change: 'updated', id: 'a', name: 'Name of a', fields: { strength: ['1', '2'] } },
      { change: 'deactivated', id: 'b', name: 'Name of b' },
      { change: 'deactivated', id: 'c', name: 'Name of c' },
      { change: 'reactivated', id: 'd', name: 'Name of d', fields: {} },
      { change: 'inserted', id: 'e', name: 'Name of e', fields: { name: [null, 'Name of e'] } },
    ]
    const counts = { count: 5, total: 5, limit: 100, offset: 0, has_more: false }
    expect(await history.writeChanges(batch_id)).toEqual({ items: expected, ...counts })
    await catalog.write(expected.map(({ id }) => record(id, { name: 'Later', strength: '3' })))
    await history.restore(0, { confirm_shrink: true })
    expect((await history.writeChanges(batch_id)).items).toEqual(expected)
    const page = await history.writeChanges(batch_id, { limit: 2, offset: 2 })
    expect(page).toMatchObject({ items: expected.slice(2, 4), total: 5, has_more: true })
    const { text, headers } = await history.send('GET', `/writes/${batch_id}/changes`, { format: 'csv' })
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="medication-changes.csv"')
    expect(text.split('\r\n').slice(1, 3)).toEqual(['updated,a,Name of a,strength,1,2', 'deactivated,b,Name of b,,,'])
  })
})

it('the history of a record has its versions, newest first', async () => {
  await catalog.write([record('a', { strength: '1' }), record('other')])
  await catalog.write([record('a', { strength: '2', aliases: ['x'] })])
  await catalog.reconcile([record('other')])
  await catalog.write([record('a', { strength: '2', aliases: ['x'] })])
  await catalog.write([record('a', { strength: '2', aliases: ['x'], is_active: false })])
  const page = await history.record('a')
  expect(page).toMatchObject({ count: 5, total: 5, has_more: false })
  expect(page.items.map(({ change, revision, fields }) => [change, revision, fields])).toEqual([
    ['deactivated', 5, {}],
    ['reactivated', 4, {}],
    ['deactivated', 3, {}],
    ['updated', 2, { strength: ['1', '2'], aliases: [[], ['x']] }],
    ['inserted', 1, { name: [null, 'Name of a'], strength: [null, '1'] }],
  ])
  const writes = (await history.writes()).items
  expect(page.items.map(({ batch_id }) => batch_id)).toEqual(writes.map(({ batch_id }) => batch_id))
  expect(page.items[0]).toMatchObject({ changed_by: catalog.workspace.clientId, record: await catalog.get('a') })
  for (const { changed_at, record } of page.items) expect(record.updated_at).toBe(changed_at)
  expect(page.items[4]!.record).toMatchObject({ medication_id: 'a', strength: '1', is_active: true })
  expect((await history.record('a', { limit: 2, offset: 2 })).items).toEqual(page.items.slice(2, 4))
  const { message } = await catalog.refused(404, history.send('GET', '/records/none/history'))
  expect(message).toBe('There is no medication with the ID "none".')
  await catalog.write([record('a/b c?')])
  expect((await history.record('a/b c?')).items).toHaveLength(1)
})

describe('the changes since a revision', () => {
  it('are the changed records, once each, in their present state', async () => {
    await catalog.write([record('a'), record('b'), record('c')])
    await catalog.reconcile([record('a', { strength: 'x' }), record('b')], { confirm_shrink: true })
    await catalog.write([record('d')])
    await catalog.write([record('c')])
    const seen = async (since_revision: number) => {
      const { items } = await history.changes({ since_revision })
      return items.map(({ revision, change, record }) => [revision, change, record.medication_id])
    }
    const changes = [
      [1, 'inserted', 'b'],
      [2, 'updated', 'a'],
      [3, 'inserted', 'd'],
      [4, 'reactivated', 'c'],
    ]
    expect(await seen(0)).toEqual(changes)
    expect(await seen(1)).toEqual(changes.slice(1))
    expect(await seen(3)).toEqual(changes.slice(3))
    expect(await seen(4)).toEqual([])
    expect(await history.changes()).toMatchObject({ revision: 4, cursor: null, has_more: false })
    expect((await history.changes()).items[3]!.record).toEqual(await catalog.get('c'))
  })

  it('reject a revision that the catalog has not reached, and an invalid cursor', async () => {
    for (const [field, value] of Object.entries({ since_revision: '1', cursor: '1.2' })) {
      const { errors } = await catalog.refused(400, history.send('GET', '/changes', { [field]: value }))
      expect(errors).toMatchObject([{ field }])
    }
  })
})

it('the batches of a catalog are its written CSV uploads, newest first', async () => {
  const none = { latest: null, items: [], count: 0, total: 0, limit: 100, offset: 0, has_more: false }
  expect(await catalog.batches()).toEqual(none)
  await catalog.write([record('json')])
  const { batch_id } = await catalog.upload('id,name,colour\na,A,red\nb,B,\n')
  await catalog.upload('id,name\na,A\n', { dry_run: true })
  await catalog.refused(400, catalog.postCsv('id,name\n,B\n'))
  const body = new FormData()
  body.append('file', new File(['id,name\na,A2'], 'Übersicht ā.csv'))
  await catalog.send('POST', '/', {}, { body })
  const { latest, items, total } = await catalog.batches()
  expect([latest, total]).toEqual([items[0], 2])
  expect(items).toMatchObject([
    { updated: 1, unchanged: 0, revision: 3, warnings: 0, file_name: 'Übersicht ā.csv', size_bytes: 12 },
    { batch_id, inserted: 2, warnings: 1, revision: 2, file_name: null, created_by: catalog.workspace.clientId },
  ])
  const page = { items: [items[1]], count: 1, total: 2, limit: 1, offset: 1, has_more: false, latest }
  expect(await catalog.batches({ limit: 1, offset: 1 })).toEqual(page)
})
