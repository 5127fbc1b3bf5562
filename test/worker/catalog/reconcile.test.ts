import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'
import { TestHistory } from '../../support/history'

const catalog = catalogOfEachTest('symptom')
const { record } = catalog

// test/worker/catalog/model.test.ts has the guard of any writes with max_shrink, and of their dry runs.
describe('the shrink guard', () => {
  it('lets half of the active records go, counted with those that are sent inactive, and no more', async () => {
    await catalog.write([...catalog.records(10), record('asleep', { is_active: false })])
    const sent = catalog.records(5, (n) => ({ is_active: n > 0 }))
    const { errors, message } = await catalog.refused(409, catalog.post(sent, { mode: 'reconcile' }))
    const stopped = { code: 'shrink_guard', active_before: 10, would_deactivate: 6 }
    expect(errors).toMatchObject([stopped])
    expect(message).toContain('more than half')
    await catalog.refused(409, catalog.post(sent, { mode: 'reconcile', confirm_shrink: false }))
    expect((await catalog.list()).total).toBe(10)
    expect(await catalog.reconcile(catalog.records(5))).toMatchObject({ deactivated: 5 })
    expect(await catalog.reconcile([], { confirm_shrink: true })).toMatchObject({ active_after: 0 })
  })

  it('stops an upsert only if it sends max_shrink', async () => {
    await catalog.write(catalog.records(10))
    const off = catalog.records(3, () => ({ is_active: false }))
    const { errors, message } = await catalog.refused(409, catalog.post(off, { max_shrink: 20 }))
    expect(errors).toEqual([{ code: 'shrink_guard', active_before: 10, would_deactivate: 3 }])
    expect(message).toContain('The upsert would deactivate 3 of 10 active records, more than 20 percent')
    for (const max_shrink of [51, -1]) await catalog.refused(400, catalog.post([], { mode: 'reconcile', max_shrink }))
    const all = catalog.records(10, () => ({ is_active: false }))
    expect(await catalog.write(all)).toMatchObject({ deactivated: 10, active_after: 0 })
  })
})

describe('the shrink guard is asked before any record is changed', () => {
  // Who changes a record gets this fault of the database, and not the refusal.
  beforeEach(async () => {
    await catalog.write([record('a'), record('z', { is_active: false })])
    await catalog.write(['b', 'c', 'd'].map((id) => record(id)))
    await env.DB.exec("create trigger no_work before update on records begin select raise(abort, 'work'); end")
  })
  afterEach(() => env.DB.exec('drop trigger no_work'))

  const restoring = (revision: number) => new TestHistory(catalog).send('POST', '/restore', { revision })
  const reconciling = (records: unknown) => catalog.post(records, { mode: 'reconcile' })

  it.each([
    ['a reconcile without records', () => reconciling([]), 4],
    ['a reconcile of too few and new records', () => reconciling([record('new')]), 4],
    ['a restore to the empty catalog', () => restoring(0), 4],
    ['a restore to a revision with too few records', () => restoring(1), 3],
  ])('by %s', async (_, send, would_deactivate) => {
    const { errors } = await catalog.refused(409, send())
    expect(errors).toMatchObject([{ code: 'shrink_guard', active_before: 4, would_deactivate }])
  })
})
