import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { purgeVersions } from '#worker/catalog/history/purge'
import service from '#worker/index'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../../support/catalog'
import { quotaOf } from '../../../support/credentials'
import { openControl, rowsIn } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { calling } from '../../../support/service'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

const versions = () => rowsIn('DB', 'record_versions')

const STEP_MS = 10 * 60_000

it('purging deletes versions that ended before a time, and updates the oldest restorable revision', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const first = Date.now()
  for (let n = 0; n < 4; n++) {
    vi.setSystemTime(first + n * STEP_MS)
    await catalog.write(catalog.records(3, () => ({ strength: `${n + 1}` })))
  }
  expect(await versions()).toBe(9)
  expect(await purgeVersions(openControl(), first + STEP_MS - 1)).toBe(0)
  expect((await history.status()).oldest_restorable_revision).toBe(0)
  await purgeVersions(openControl(), first + 1.5 * STEP_MS)
  expect(await versions()).toBe(6)
  expect((await history.status()).oldest_restorable_revision).toBe(2)
  const { message } = await history.refused(409, 1)
  expect(message).toContain('the oldest restorable revision is 2')
  await history.refused(409, 0, { dry_run: true })
  const [, , , firstWrite] = (await history.writes()).items
  expect((await history.send('GET', `/writes/${firstWrite!.batch_id}/changes`)).status).toBe(409)
  expect((await history.record('r0')).items).toMatchObject([
    { revision: 4, fields: { strength: ['3', '4'] } },
    { revision: 3, fields: { strength: ['2', '3'] } },
    { revision: 2, fields: {} },
  ])
  expect(await history.restore(2)).toMatchObject({ total: 3 })
  expect(await catalog.get('r0')).toMatchObject({ strength: '2' })
})

it('a service without history stores no versions, and restores only the present revision', async () => {
  const without = catalog.through(calling(service, { ...env, HISTORY_DAYS: '0' } as typeof env))
  await without.write([record('a')])
  await without.write([record('a', { strength: 'x' })])
  expect(await versions()).toBe(0)
  expect((await history.status()).oldest_restorable_revision).toBe(2)
  await history.refused(409, 1)
  expect(await history.restore(2)).toMatchObject({ total: 0 })
  await catalog.write([record('a', { strength: 'y' })])
  await history.restore(2)
  expect(await catalog.get('a')).toMatchObject({ strength: 'x' })
})

const quota = (change: object = {}) => quotaOf(catalog.workspace, change)

/** The size of the workspace's versions, counted again. */
const kept = (of = catalog): Promise<number | null> =>
  env.DB.prepare(
    `select coalesce(sum(octet_length(data) + coalesce(octet_length(search_text), 0) + coalesce(octet_length(codes), 0)), 0) as n
      from record_versions
      where catalog_id in (select catalog_id from catalogs where workspace_id = ?)`,
  )
    .bind(of.workspace.workspaceId)
    .first<number>('n')

/** The service's count of it, without the 500 bytes for each write whose changes are kept. */
async function counted(): Promise<number> {
  const { revision, oldest_restorable_revision } = await history.status()
  return (await quota()).history_bytes_used! - 500 * (revision - oldest_restorable_revision)
}

/** Writes all records again, this many times. */
async function rewrite(times: number, of = catalog): Promise<void> {
  for (let n = 0; n < times; n++) {
    const [{ updated_at } = { updated_at: 0 }] = (await of.list({ limit: 1 })).items
    await of.write(of.records(3, () => ({ strength: `${n} ${updated_at}`.slice(0, 32) })))
  }
}

describe('the bytes of earlier versions', () => {
  it('are counted through every kind of write, and through deletions of versions', async () => {
    await catalog.write(catalog.records(10))
    expect(await counted()).toBe(0)
    await catalog.write(catalog.records(8, (n) => ({ name: `Näme ${n}`, aliases: ['x'] })))
    expect(await counted()).toBe(await kept())
    await catalog.reconcile(catalog.records(6))
    await history.restore(2)
    const all = await counted()
    expect(all).toBe(await kept())
    expect(all).toBeGreaterThan(500)
    const { updated_at } = await catalog.get('r9')
    await purgeVersions(openControl(), Date.parse(updated_at as string))
    expect(await counted()).toBe(await kept())
    await purgeVersions(openControl(), Date.now() + 1000)
    expect([await counted(), await kept()]).toEqual([0, 0])
  })

  it('are deleted if they exceed the quota, the oldest first', async () => {
    const other = await newCatalog()
    await rewrite(2, other)
    const othersVersions = await kept(other)
    const second = new TestCatalog(catalog.workspace, 'symptom')
    await second.write(second.records(1))
    await second.write(second.records(1, () => ({ icd10: 'A' })))
    await rewrite(12)
    const before = (await kept())!
    const { history_bytes_used: used = 0 } = await quota()
    await quota({ bytes: Math.floor(used / 2) })
    // They never block a write, because only the scheduled run deletes them.
    expect(await catalog.write([catalog.record('r0')])).toMatchObject({ updated: 1 })
    expect((await history.status()).oldest_restorable_revision).toBe(0)
    // One step per catalog, and one to find that there is room.
    expect(await purgeVersions(openControl(), 0)).toBe(3)
    const { history_bytes_used: left = 0 } = await quota()
    expect(left).toBeLessThanOrEqual(used / 2)
    expect(left).toBeGreaterThan(used / 4)
    expect(await kept()).toBeLessThan(before)
    expect(await purgeVersions(openControl(), 0)).toBe(0)
    const { oldest_restorable_revision } = await history.status()
    await history.refused(409, oldest_restorable_revision - 1)
    await history.restore(oldest_restorable_revision)
    // The versions of the other catalog are older.
    expect((await new TestHistory(second).status()).oldest_restorable_revision).toBe(2)
    expect(await kept(other)).toBe(othersVersions)
  })
})
