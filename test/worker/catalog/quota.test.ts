import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DEFAULT_QUOTA } from '#shared/limits'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../support/catalog'
import { callOperator, quotaOf } from '../../support/credentials'

const catalog = catalogOfEachTest()

const quota = () => quotaOf(catalog.workspace)
const setQuota = (change: object) => quotaOf(catalog.workspace, change)

/** The bytes of the records of all catalogs, counted again. */
const storedBytes = async () =>
  (await env.DB.prepare(
    'select coalesce(sum(octet_length(record_id) + octet_length(search_text) + octet_length(codes) + octet_length(data)), 0) as n from records',
  ).first('n')) as number

describe('the quota of a workspace', () => {
  it('is the default until the operator sets one, and again after null', async () => {
    const used = ['records', 'bytes', 'history_bytes', 'documents', 'document_bytes', 'registrations']
    expect(await quota()).toEqual({ ...DEFAULT_QUOTA, ...Object.fromEntries(used.map((name) => [`${name}_used`, 0])) })
    expect(await setQuota({ records: 5 })).toMatchObject({ ...DEFAULT_QUOTA, records: 5 })
    expect(await setQuota({ records: null })).toMatchObject(DEFAULT_QUOTA)
    const path = `/workspaces/${catalog.workspace.workspaceId}/quota`
    expect((await callOperator(path, { records: -1 })).status).toBe(400)
  })

  it('counts the stored records and bytes through every kind of write', async () => {
    const used = async () => (await quota()).bytes_used
    await catalog.write(catalog.records(10))
    expect(await used()).toBe(await storedBytes())
    await catalog.write(catalog.records(5, (n) => ({ name: `A longer näme ${n}`, aliases: ['x'.repeat(100)] })))
    expect(await used()).toBe(await storedBytes())
    await catalog.reconcile(catalog.records(8))
    expect(await used()).toBe(await storedBytes())
    await new TestCatalog(catalog.workspace, 'symptom').upload('id,name\na,A\nb,B')
    expect(await quota()).toMatchObject({ records_used: 12, bytes_used: await storedBytes() })
  })

  it('blocks a write that would exceed the records of all catalogs together', async () => {
    const other = new TestCatalog(catalog.workspace, 'symptom')
    await other.write(other.records(3))
    await setQuota({ records: 5 })
    const { errors, message } = await catalog.refused(409, catalog.post(catalog.records(3)))
    expect(errors).toEqual([{ code: 'quota', quota: 'records', limit: 5, used: 3, needed: 6 }])
    expect(message).toContain('Nothing was written')
    expect(await catalog.ids()).toEqual([])
    expect(await catalog.write(catalog.records(2))).toMatchObject({ inserted: 2 })
  })

  it('blocks a write that would exceed the bytes', async () => {
    await catalog.write(catalog.records(2))
    const { bytes_used = 0 } = await quota()
    await setQuota({ bytes: bytes_used + 100 })
    const larger = catalog.records(2, () => ({ strength: 'x'.repeat(32) }))
    const { errors } = await catalog.refused(409, catalog.post(larger))
    expect(errors).toMatchObject([{ code: 'quota', quota: 'bytes', limit: bytes_used + 100, used: bytes_used }])
    expect(await catalog.write(larger.slice(0, 1))).toMatchObject({ updated: 1 })
  })

  it('blocks only growth if it is below the stored amount, and only in its own workspace', async () => {
    await catalog.write(catalog.records(10, () => ({ strength: 'x'.repeat(30) })))
    await setQuota({ records: 1, bytes: 1 })
    expect(await catalog.write(catalog.records(10))).toMatchObject({ updated: 10 })
    expect(await catalog.reconcile(catalog.records(9))).toMatchObject({ deactivated: 1 })
    await catalog.refused(409, catalog.post([catalog.record('new')]))
    const other = await newCatalog()
    expect(await other.write(other.records(5))).toMatchObject({ inserted: 5 })
  })

  it('also limits simultaneous writes', async () => {
    await setQuota({ records: 5 })
    const two = (n: number) => [catalog.record(`a${n}`), catalog.record(`b${n}`)]
    const answers = await Promise.all([0, 1, 2, 3].map((n) => catalog.post(two(n))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect(await quota()).toMatchObject({ records_used: 4 })
  })
})
