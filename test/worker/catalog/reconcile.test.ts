import { expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'

const catalog = catalogOfEachTest('symptom')
const { record } = catalog

// test/worker/catalog/model.test.ts covers the guard of any writes with max_shrink, and of their dry runs.
it('the shrink guard allows a reconcile to deactivate half of the active records, and no more', async () => {
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

it('the shrink guard blocks an upsert only if it sends max_shrink', async () => {
  await catalog.write(catalog.records(10))
  const off = catalog.records(3, () => ({ is_active: false }))
  const { errors, message } = await catalog.refused(409, catalog.post(off, { max_shrink: 20 }))
  expect(errors).toEqual([{ code: 'shrink_guard', active_before: 10, would_deactivate: 3 }])
  expect(message).toContain('The upsert would deactivate 3 of 10 active records, more than 20 percent')
  const all = catalog.records(10, () => ({ is_active: false }))
  expect(await catalog.write(all)).toMatchObject({ deactivated: 10, active_after: 0 })
})
