import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../../support/catalog'
import { rowsIn } from '../../../support/databases'
import { TestHistory } from '../../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

const versions = () => rowsIn('DB', 'record_versions')

describe('versions of records', () => {
  it('are kept of the records that a write changes, and of no others', async () => {
    await catalog.write(catalog.records(20))
    expect(await versions()).toBe(0)
    await catalog.write(catalog.records(20))
    expect(await versions()).toBe(0)
    const next = catalog.records(18, (n) => (n < 3 ? { strength: 'x' } : {}))
    await catalog.reconcile([...next, record('new')])
    expect(await versions()).toBe(5)
  })

  it('of a write that is refused are not kept', async () => {
    await catalog.write(catalog.records(4))
    await catalog.refused(409, catalog.post([record('r0', { strength: 'x' })], { mode: 'reconcile' }))
    await catalog.refused(409, catalog.post([record('r0', { strength: 'x' })], { expected_revision: 7 }))
    expect(await versions()).toBe(0)
  })
})

describe('the writes of a catalog', () => {
  it('are all listed, newest first, in pages', async () => {
    await catalog.upload('id,name\na,A\n', { mode: 'reconcile' })
    await catalog.write([record('a', { name: 'A' })])
    await catalog.write([record('b')])
    await history.restore(1, { confirm_shrink: true })
    const page = await history.writes()
    expect(page).toMatchObject({ count: 4, total: 4, limit: 100, offset: 0, has_more: false })
    expect(
      page.items.map(({ format, mode, revision, restored_revision }) => [format, mode, revision, restored_revision]),
    ).toEqual([
      ['restore', 'restore', 3, 1],
      ['json', 'upsert', 2, null],
      ['json', 'upsert', 1, null],
      ['csv', 'reconcile', 1, null],
    ])
    expect(page.items[2]).toMatchObject({ unchanged: 1, total: 1 })
    const second = await history.writes({ limit: 1, offset: 1 })
    expect(second).toMatchObject({ items: [page.items[1]], count: 1, total: 4, has_more: true })
    const { latest } = await catalog.batches()
    expect(page.items[3]).toMatchObject({ ...latest })
  })

  it('can be read one by one, by the catalog that they belong to', async () => {
    await catalog.upload('id,name\na,A\n')
    await history.restore(0, { confirm_shrink: true })
    const [restored, uploaded] = (await history.writes()).items
    expect(await history.write(restored!.batch_id)).toEqual(restored)
    expect(await history.write(uploaded!.batch_id)).toEqual(uploaded)
    const path = `/writes/${uploaded!.batch_id}`
    const unknown = await catalog.refused(404, history.send('GET', `/writes/${crypto.randomUUID()}`))
    expect(unknown.message).toContain('medication')
    const others = new TestHistory(await newCatalog())
    await others.catalog.refused(404, others.send('GET', path))
    const symptoms = new TestHistory(new TestCatalog(catalog.workspace, 'symptom'))
    await symptoms.catalog.refused(404, symptoms.send('GET', path))
  })

  it('show what each write did to which record, also after later writes', async () => {
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
    expect(await history.writeChanges(batch_id)).toEqual({
      items: expected,
      count: 5,
      total: 5,
      limit: 100,
      offset: 0,
      has_more: false,
    })
    const all = ['a', 'b', 'c', 'd', 'e']
    await catalog.write(all.map((id) => record(id, { name: 'Later', strength: '3' })))
    await history.restore(0, { confirm_shrink: true })
    expect((await history.writeChanges(batch_id)).items).toEqual(expected)
    const pages = [0, 2, 4, 6].map((offset) => history.writeChanges(batch_id, { limit: 2, offset }))
    expect((await Promise.all(pages)).map(({ items, has_more }) => [items.length, has_more])).toEqual([
      [2, true],
      [2, true],
      [1, false],
      [0, false],
    ])
    const { text, headers } = await history.send('GET', `/writes/${batch_id}/changes`, { format: 'csv' })
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="medication-changes.csv"')
    expect(text.split('\r\n').slice(1, 3)).toEqual(['updated,a,Name of a,strength,1,2', 'deactivated,b,Name of b,,,'])
    expect((await history.writeChanges((await history.writes()).items.at(-1)!.batch_id)).total).toBe(4)
  })

  it('that changed nothing have no changes, even if others wrote at the same time', async () => {
    await catalog.write([record('a')])
    await catalog.write([record('a')])
    await catalog.write([record('b')])
    const [, idle, first] = (await history.writes()).items
    expect(await history.writeChanges(idle!.batch_id)).toMatchObject({ items: [], total: 0, has_more: false })
    expect((await history.writeChanges(first!.batch_id)).items).toMatchObject([{ id: 'a' }])
    expect((await history.send('GET', `/writes/${crypto.randomUUID()}/changes`)).status).toBe(404)
  })

  it('that inserted nothing do not show what a later write inserted', async () => {
    await catalog.write([record('a')])
    await catalog.write([record('a', { strength: '2' })])
    await catalog.write([record('b')])
    const [, update] = (await history.writes()).items
    expect((await history.writeChanges(update!.batch_id)).items).toMatchObject([{ change: 'updated', id: 'a' }])
  })
})

describe('the history of a record', () => {
  it('has its versions, newest first, with author, time and changes', async () => {
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
    expect(page.items[0]).toMatchObject({
      changed_by: catalog.workspace.clientId,
      record: await catalog.get('a'),
    })
    for (const { changed_at, record } of page.items) expect(record.updated_at).toBe(changed_at)
    expect(page.items[4]!.record).toMatchObject({ medication_id: 'a', strength: '1', is_active: true })
    const second = await history.record('a', { limit: 2, offset: 2 })
    expect(second).toMatchObject({ count: 2, total: 5, has_more: true })
    expect(second.items).toEqual(page.items.slice(2, 4))
    expect((await history.record('a', { offset: 9 })).items).toEqual([])
  })

  it('is found by any id, and is 404 when there is no such record', async () => {
    await catalog.write([record('a/b c?')])
    expect((await history.record('a/b c?')).items).toHaveLength(1)
    const { message } = await catalog.refused(404, history.send('GET', '/records/none/history'))
    expect(message).toBe('There is no medication with the id "none".')
  })
})

describe('the changes since a revision', () => {
  it('are the changed records, once each, in their present state, oldest change first', async () => {
    await catalog.write([record('a'), record('b'), record('c')])
    await catalog.reconcile([record('a', { strength: 'x' }), record('b')], { confirm_shrink: true })
    await catalog.write([record('d')])
    await catalog.write([record('c')])
    const seen = async (since: number) =>
      (await history.changes({ since_revision: since })).items.map(({ revision, change, record }) => [
        revision,
        change,
        record.medication_id,
      ])
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

  it('come in pages that continue after the page before', async () => {
    await catalog.write(catalog.records(5))
    await catalog.reconcile([record('r0')], { confirm_shrink: true })
    const ids: unknown[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page = await history.changes({ limit: 2, ...(cursor === null ? {} : { cursor }) })
      ids.push(...page.items.map(({ record }) => record.medication_id))
      cursor = page.cursor
      expect(page.has_more).toBe(cursor !== null)
      pages++
    } while (cursor !== null)
    expect(ids).toEqual(['r0', 'r1', 'r2', 'r3', 'r4'])
    expect(pages).toBe(3)
  })

  it('refuse a revision that the catalog has not reached, and a text that is no cursor', async () => {
    await catalog.write([record('a')])
    const refusals: [Record<string, string>, string][] = [
      [{ since_revision: '2' }, 'since_revision'],
      [{ since_revision: 'x' }, 'since_revision'],
      [{ cursor: 'x' }, 'cursor'],
      [{ cursor: '1.2' }, 'cursor'],
      [{ limit: '0' }, 'limit'],
    ]
    for (const [query, field] of refusals) {
      const { errors } = await catalog.refused(400, history.send('GET', '/changes', query))
      expect(errors).toMatchObject([{ field }])
    }
  })
})
