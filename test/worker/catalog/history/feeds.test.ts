import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { purgeVersions, purgeWrites } from '#worker/catalog/history/purge'
import { runScheduled } from '#worker/scheduled'
import { catalogOfEachTest, newCatalog, type TestCatalog } from '../../../support/catalog'
import { execute, openControl, single } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { addUnchanged } from '../../../support/uploads'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const HOUR_MS = 3600 * 1000

const count = (table: string, { workspace }: TestCatalog): Promise<number | null> => {
  const own = 'select catalog_id from catalogs where workspace_id = ?'
  const counting = env.DB.prepare(`select count(*) as n from ${table} where catalog_id in (${own})`)
  return counting.bind(workspace.workspaceId).first<number>('n')
}

it('a write of one record reads as many rows with many words as with few', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const rows: number[] = []
  for (const count of [3, 600]) {
    const catalog = await newCatalog()
    await catalog.write(catalog.records(count, (n) => ({ name: `Word${n}` })))
    await catalog.write([catalog.record('r1', { name: 'Word1', strength: 'x' })])
    rows.push(JSON.parse(String(log.mock.lastCall?.[0])).rows_read)
  }
  expect(rows[1]).toBeLessThanOrEqual(rows[0]! + 5)
})

describe('the scheduled run', () => {
  it('alternates: a workspace with much to delete does not delay others', async () => {
    const [heavy, light] = [await newCatalog(), await newCatalog()]
    for (const strength of ['a', 'b']) {
      for (const each of [heavy, light]) await each.write(each.records(10, () => ({ strength })))
    }
    await execute(
      `with n as (select 1 as i union all select i + 1 from n where i < 25000)
       insert into record_versions (catalog_id, ended_at, row_id, written_at, is_active, was_active, data, digest)
       select catalog_id, ? + i, 0, 0, 1, 1, '', '' from catalogs cross join n where workspace_id = ?`,
      ...[Date.now(), heavy.workspace.workspaceId],
    )
    let steps = 0
    expect(await purgeVersions(openControl(), Date.now() + HOUR_MS, () => steps++ < 3)).toBe(3)
    expect(await count('record_versions', light)).toBe(0)
    expect(await count('record_versions', heavy)).toBeGreaterThan(0)
    const { message } = await new TestHistory(heavy).refused(409, 1)
    expect(message).toContain('the oldest restorable revision is 2')
  })

  it('deletes writes that changed nothing, except the newest thousand and those of the last six hours', async () => {
    await catalog.write([catalog.record('a')])
    await addUnchanged(1800, 'a feed', Date.now(), 1000)
    const inHours = (hours: number) => Date.now() + hours * HOUR_MS
    await purgeWrites(openControl(), inHours(5.5))
    expect((await history.writes()).total).toBe(1801)
    await purgeWrites(openControl(), inHours(7))
    const { items, total } = await history.writes({ limit: 1, offset: 1000 })
    // The write that created the record stays, because a mirror receives its revision.
    expect([total, items[0]!.revision]).toEqual([1001, 1])
    expect((await history.changes()).items).toMatchObject([{ revision: 1 }])
  })

  it('keeps writes with an idempotency key for thirty days', async () => {
    const keyed = () => catalog.post([catalog.record('a')], {}, { 'Idempotency-Key': 'a' })
    await catalog.write([catalog.record('a')])
    expect((await keyed()).status).toBe(200)
    await addUnchanged(2, 'a feed', Date.now(), 1000)
    await purgeWrites(openControl(), Date.now() + 29 * 24 * HOUR_MS, 1)
    expect((await keyed()).headers.get('Idempotency-Replayed')).toBe('true')
    await purgeWrites(openControl(), Date.now() + 31 * 24 * HOUR_MS, 1)
    expect((await keyed()).headers.get('Idempotency-Replayed')).toBeNull()
  })

  it('deletes writes whose changes are no longer kept, and the history still shows what it knows', async () => {
    await catalog.write([catalog.record('a'), catalog.record('b')])
    for (const strength of ['1', '2', '3']) await catalog.write([catalog.record('a', { strength })])
    await catalog.write([catalog.record('b', { strength: '4' })])
    const { items } = await history.record('a')
    const third = Date.parse(items.find(({ revision }) => revision === 3)!.changed_at)
    await purgeVersions(openControl(), third)
    await purgeWrites(openControl(), Date.now() + 7 * HOUR_MS, 1)
    expect((await history.writes()).items.map(({ revision }) => revision)).toEqual([5, 4, 3])
    expect((await history.record('b')).items).toMatchObject([
      { revision: 5, fields: { strength: [null, '4'] } },
      { revision: null, batch_id: null, changed_by: null },
    ])
    // A mirror at a revision that is no longer listed still receives all changes since.
    expect((await history.changes({ since_revision: 2 })).items.map(({ revision }) => revision)).toEqual([4, 5])
    await history.restore(3)
    expect(await catalog.get('a')).toMatchObject({ strength: '2' })
    expect(await catalog.get('b')).toMatchObject({ strength: null })
  })

  it('deletes versions after HISTORY_DAYS, but nothing of a workspace that is being copied', async () => {
    await catalog.write([catalog.record('a')])
    await catalog.write([catalog.record('a', { strength: 'x' })])
    const runAfter = async (days: number, state: string) => {
      await execute('update workspaces set state = ?', state)
      await runScheduled({ ...single, HISTORY_DAYS: '400' }, new Date(Date.now() + days * 24 * HOUR_MS))
      return count('record_versions', catalog)
    }
    expect(await runAfter(399, 'active')).toBe(1)
    expect(await runAfter(401, 'read_only')).toBe(1)
    expect(await runAfter(401, 'active')).toBe(0)
    expect((await history.status()).oldest_restorable_revision).toBe(2)
  })
})
