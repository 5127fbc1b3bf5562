import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'

const catalog = catalogOfEachTest('symptom')
const { record } = catalog

it('a reconcile only deactivates: records that are left out keep their fields and can be read by id', async () => {
  await catalog.write([record('a', { aliases: ['x'] }), record('b'), record('c')])
  const before = await catalog.get('a')
  await catalog.reconcile([record('b'), record('c')])
  const after = await catalog.get('a')
  expect(after).toEqual({ ...before, is_active: false, updated_at: after.updated_at })
  expect(after.updated_at).not.toBe(before.updated_at)
  expect(await catalog.ids()).toEqual(['c', 'b'])
  expect(await catalog.ids({ show_inactive: 1 })).toEqual(['a', 'c', 'b'])
})

describe('the shrink guard', () => {
  it.each([
    { active: 10, gone: 5, passes: true },
    { active: 10, gone: 6, passes: false },
    { active: 1, gone: 1, passes: false },
    { active: 10, max: 20, gone: 3, passes: false },
  ])('lets $gone of $active go with max_shrink=$max: $passes', async ({ active, max, gone, passes }) => {
    await catalog.write([...catalog.records(active), record('asleep', { is_active: false })])
    // One of them by its own word, unless it is the only one.
    const isSent = gone > 0 && active > 1
    const sent = catalog.records(active - gone + (isSent ? 1 : 0), (n) => ({ is_active: n > 0 || !isSent }))
    const query = max === undefined ? {} : { max_shrink: max }
    const stopped = { code: 'shrink_guard', active_before: active, would_deactivate: gone }
    const dry = await catalog.reconcile(sent, { ...query, dry_run: true })
    expect(dry).toMatchObject({ active_before: active, active_after: active - gone, deactivated: gone })
    expect(dry.shrink_guard).toEqual(passes ? undefined : stopped)
    if (!passes) {
      for (const confirm of [{}, { confirm_shrink: false }]) {
        const answer = catalog.post(sent, { mode: 'reconcile', ...query, ...confirm })
        const { errors, message } = await catalog.refused(409, answer)
        expect(errors).toMatchObject([stopped])
        expect(message).toContain(`more than ${max === undefined ? 'half' : `${max} percent`}`)
      }
      expect((await catalog.list()).total).toBe(active)
      const confirmed = { ...query, confirm_shrink: true }
      expect(await catalog.reconcile(sent, { ...confirmed, dry_run: true })).not.toHaveProperty('shrink_guard')
      Object.assign(query, confirmed)
    }
    expect(await catalog.reconcile(sent, query)).toMatchObject({ deactivated: gone, active_after: active - gone })
  })

  it('stops an upsert only if it sends max_shrink', async () => {
    await catalog.write(catalog.records(10))
    const off = catalog.records(3, () => ({ is_active: false }))
    const stopped = { code: 'shrink_guard', active_before: 10, would_deactivate: 3 }
    expect((await catalog.write(off, { max_shrink: 20, dry_run: true })).shrink_guard).toEqual(stopped)
    const { errors, message } = await catalog.refused(409, catalog.post(off, { max_shrink: 20 }))
    expect(errors).toEqual([stopped])
    expect(message).toContain('The upsert would deactivate 3 of 10 active records, more than 20 percent')
    expect((await catalog.list()).total).toBe(10)
    expect(await catalog.write(off, { max_shrink: 30, dry_run: true })).not.toHaveProperty('shrink_guard')
    expect(await catalog.write(off, { max_shrink: 20, confirm_shrink: true })).toMatchObject({ active_after: 7 })
    for (const max_shrink of [51, -1]) await catalog.refused(400, catalog.post([], { mode: 'reconcile', max_shrink }))
  })

  it('stops an empty reconcile of a catalog with records, and stops only reconciles', async () => {
    await catalog.write(catalog.records(3))
    await catalog.refused(409, catalog.post([], { mode: 'reconcile' }))
    expect(await catalog.write([])).toMatchObject({ deactivated: 0 })
    const off = catalog.records(3, () => ({ is_active: false }))
    expect(await catalog.write(off)).toMatchObject({ updated: 0, deactivated: 3, active_after: 0 })
  })
})
