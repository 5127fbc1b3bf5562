import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { purgeVersions } from '#worker/catalog/history/purge'
import service from '#worker/index'
import { catalogOfEachTest } from '../../../support/catalog'
import { openControl, rowsIn } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { calling } from '../../../support/service'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

const versions = () => rowsIn('DB', 'record_versions')

const STEP_MS = 10 * 60_000

/** Four revisions, ten minutes apart. @returns the time of the first */
async function fourRevisions(): Promise<number> {
  vi.useFakeTimers({ toFake: ['Date'] })
  const first = Date.now()
  for (let n = 0; n < 4; n++) {
    vi.setSystemTime(first + n * STEP_MS)
    await catalog.write(catalog.records(3, () => ({ strength: `${n + 1}` })))
  }
  return first
}

describe('purging', () => {
  it('deletes versions that ended before a time, and keeps the oldest restorable revision right', async () => {
    const first = await fourRevisions()
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
})

describe('a service that keeps no history', () => {
  it('stores no versions, and reports that only the present revision can be restored', async () => {
    const without = catalog.through(calling(service, { ...env, HISTORY_DAYS: '0' } as typeof env))
    await without.write([record('a')])
    await without.write([record('a', { strength: 'x' })])
    expect(await versions()).toBe(0)
    expect((await history.status()).oldest_restorable_revision).toBe(2)
    await history.refused(409, 1)
    expect(await history.restore(2)).toMatchObject({ total: 0 })
    await catalog.write([record('a', { strength: 'y' })])
    expect(await versions()).toBe(1)
    expect((await history.status()).oldest_restorable_revision).toBe(2)
    await history.restore(2)
    expect(await catalog.get('a')).toMatchObject({ strength: 'x' })
  })

  it('is not configured by another HISTORY_DAYS than a whole number', async () => {
    for (const HISTORY_DAYS of ['-1', '1.5', 'many']) {
      const fetch = calling(service, { ...env, HISTORY_DAYS } as typeof env)
      expect((await fetch('/admin/datasets/v1/?type=medication')).status, HISTORY_DAYS).toBe(500)
    }
  })
})
