import { beforeEach, describe, expect, it } from 'vitest'
import { catalogOfEachTest, type Query } from '../../../support/catalog'
import { heldBy, TestUploads } from '../../../support/uploads'

const catalog = catalogOfEachTest()

beforeEach(async () => {
  const fields = (n: number) => ({ strength: `${n} mg`, ...(n < 3 ? { sku: `S${n}`, aliases: [`A${n}`] } : {}) })
  await catalog.write(catalog.records(5, fields))
})

const stopped = async (records: unknown, query: Query = {}) =>
  (await catalog.refused(409, catalog.post(records, { max_emptied: 0, ...query }))).errors

const emptied = (field: string, records: number, max_emptied: number) =>
  expect.objectContaining({ code: 'emptied_guard', field, emptied: records, max_emptied })

describe('max_emptied', () => {
  it('blocks a write that clears a field in too many records, with an error per field, in both modes', async () => {
    const sent = catalog.records(5, (n) => ({ strength: n === 4 ? '' : `${n} mg` }))
    const all = await stopped(sent, { mode: 'reconcile', hold: false })
    expect(all).toEqual([emptied('aliases', 3, 0), emptied('strength', 1, 0), emptied('sku', 3, 0)])
    expect(await stopped(sent, { max_emptied: 2 })).toEqual([emptied('aliases', 3, 2), emptied('sku', 3, 2)])
    expect((await catalog.get('r0')).sku).toBe('S0')
    expect(await catalog.write(sent, { max_emptied: 3 })).toMatchObject({ updated: 5 })
  })

  it('ignores the fields of allow_emptied', async () => {
    const sent = catalog.records(5, (n) => ({ strength: `${n} mg` }))
    expect(await stopped(sent, { allow_emptied: 'sku' })).toEqual([emptied('aliases', 3, 0)])
    await catalog.write(sent, { max_emptied: 0, allow_emptied: 'aliases, sku' })
    const { errors } = await catalog.refused(400, catalog.post([], { allow_emptied: 'sku,colour' }))
    expect(errors).toMatchObject([{ field: 'allow_emptied', code: 'not_allowed', value: 'colour' }])
  })

  it('ignores records that the write deactivates, but not those that were inactive before', async () => {
    const inactive = [0, 1, 2].map((n) => catalog.record(`r${n}`, { is_active: false }))
    const query = { mode: 'reconcile', max_emptied: 0, confirm_shrink: true }
    expect(await catalog.reconcile(inactive, { ...query, dry_run: true })).not.toHaveProperty('emptied_guard')
    expect(await catalog.reconcile(inactive, query)).toMatchObject({ deactivated: 5 })
    await catalog.write([catalog.record('r0', { sku: 'S0', is_active: false })])
    for (const is_active of [false, true])
      expect(await stopped([catalog.record('r0', { is_active })])).toEqual([emptied('sku', 1, 0)])
  })

  it('is reported by a dry run as it would block the write, and keep_missing keeps missing fields', async () => {
    const sent = catalog.records(5, (n) => ({ strength: `${n} mg` }))
    const query = { max_emptied: 1, allow_emptied: 'aliases' }
    for (const include of ['diff', undefined]) {
      const dry = await catalog.write(sent, { dry_run: true, include, ...query })
      expect(dry.emptied_guard).toEqual(await stopped(sent, query))
      expect(dry.emptied).toEqual({ aliases: 3, sku: 3 })
    }
    expect(await catalog.write(sent, { dry_run: true })).not.toHaveProperty('emptied_guard')
    await catalog.write([{ medication_id: 'r0' }], { keep_missing: true, max_emptied: 0 })
    const blank = [{ medication_id: 'r0', sku: null }]
    expect(await stopped(blank, { keep_missing: true })).toEqual([emptied('sku', 1, 0)])
  })
})

describe('a reconcile with client credentials that max_emptied blocks', () => {
  const sent = () => catalog.records(5, (n) => ({ strength: `${n} mg`, aliases: [`A${n}`] }))
  const query = { mode: 'reconcile', max_emptied: 1 }

  it('becomes a pending upload, with the reason', async () => {
    const uploads = new TestUploads(catalog)
    const [error] = await stopped(sent(), { ...query, allow_emptied: 'strength' })
    const { uploadId } = heldBy(error as object)
    const errors = [{ field: 'sku', code: 'emptied_guard', count: 1, first_index: null }]
    const row = { outcome: 'held', held_for: 'emptied_guard', error_count: 1, errors }
    expect(await uploads.get(uploadId)).toMatchObject(row)
    expect((await catalog.refused(409, uploads.write(uploadId))).errors).toEqual([emptied('sku', 3, 1)])
    expect(await uploads.written(uploadId, { dry_run: true, allow_emptied: 'sku' })).not.toHaveProperty('emptied_guard')
    expect(await uploads.written(uploadId, { max_emptied: 3 })).toMatchObject({ updated: 5 })
  })

  it('becomes pending even if the shrink guard is overridden, but not with hold=false', async () => {
    const uploads = new TestUploads(catalog)
    expect(heldBy((await stopped(sent(), { ...query, confirm_shrink: true }))[0] as object)).toBeDefined()
    expect((await stopped(sent(), { ...query, hold: false }))[0]).not.toHaveProperty('upload_id')
    expect((await stopped(sent(), { max_emptied: 1 }))[0]).not.toHaveProperty('upload_id')
    expect(await uploads.outcomes()).toEqual(['emptied_guard', 'emptied_guard', 'held', 'written'])
  })

  it('is reported by a dry run with a pending upload, with the guards that would block it', async () => {
    const dry = await catalog.reconcile(sent().slice(0, 2), { dry_run: true, hold: true, max_emptied: 1 })
    const { held_for, errors } = await new TestUploads(catalog).get(heldBy(dry).uploadId)
    expect([held_for, ...errors.map(({ code }) => code)]).toEqual(['dry_run', 'shrink_guard', 'emptied_guard'])
  })
})
