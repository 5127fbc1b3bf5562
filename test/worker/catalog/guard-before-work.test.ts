import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'
import { TestHistory } from '../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

const restoring = (revision: number) => history.send('POST', '/restore', { revision })
const reconciling = (records: unknown) => catalog.post(records, { mode: 'reconcile' })

/** A catalog with one active record after its first revision, and four after its second one. */
beforeEach(async () => {
  await catalog.write([catalog.record('a'), catalog.record('z', { is_active: false })])
  await catalog.write(['b', 'c', 'd'].map((id) => catalog.record(id)))
})

/** Whoever changes a record gets a fault of the database, and not the refusal. */
describe('the shrink guard is asked before any record is changed', () => {
  beforeEach(() =>
    env.DB.exec("create trigger no_work before update on records begin select raise(abort, 'work'); end"),
  )
  afterEach(() => env.DB.exec('drop trigger no_work'))

  it.each([
    ['a reconcile without records', () => reconciling([]), 4],
    ['a reconcile of too few records', () => reconciling([catalog.record('a')]), 3],
    ['a reconcile of too few and new records', () => reconciling([catalog.record('new')]), 4],
    ['a restore to the empty catalog', () => restoring(0), 4],
    ['a restore to a revision with too few records', () => restoring(1), 3],
  ])('by %s', async (_, send, would_deactivate) => {
    const { errors } = await catalog.refused(409, send())
    expect(errors).toMatchObject([{ code: 'shrink_guard', active_before: 4, would_deactivate }])
  })
})

it('a reconcile that sends records as inactive is refused with the number of them and of those left out', async () => {
  const sent = [catalog.record('a'), ...['b', 'z'].map((id) => catalog.record(id, { is_active: false }))]
  const { errors } = await catalog.refused(409, reconciling(sent))
  expect(errors).toMatchObject([{ code: 'shrink_guard', active_before: 4, would_deactivate: 3 }])
})
