import { describe, expect, it, vi } from 'vitest'
import { HISTORY_GROWTH, HISTORY_LIMIT, LARGE_CHANGE_RECORDS } from '#shared/limits'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'
import { quotaOf } from '../../../support/credentials'
import { execute } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { idsFound } from '../../../support/searches'
import { TestUploads } from '../../../support/uploads'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

const strengthOf = (strength: string) => () => ({ strength })

describe('rows read', () => {
  /** The rows that a request reads in a catalog whose records were written this many times after the first two. */
  async function rowsRead(times: number, send: (history: TestHistory, firstBatch: string) => Promise<unknown>) {
    const catalog = await newCatalog()
    const history = new TestHistory(catalog)
    for (const strength of ['a', 'b']) await catalog.write(catalog.records(20, strengthOf(strength)))
    const { batch_id } = (await history.status()).last_write!
    for (let n = 0; n < times; n++) await catalog.write(catalog.records(20, strengthOf(`${n}`)))
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await send(history, batch_id)
    return JSON.parse(String(log.mock.lastCall?.[0])).rows_read as number
  }

  it.for([
    ['a restore', (history: TestHistory) => history.restore(1)],
    ['the preview of a restore', (history: TestHistory) => history.restore(1, { dry_run: true })],
    ['the changes of a write', (history: TestHistory, batchId: string) => history.writeChanges(batchId)],
  ] as const)('of %s do not depend on the number of versions', async ([, send]) => {
    const few = await rowsRead(1, send)
    expect(await rowsRead(12, send)).toBeLessThanOrEqual(few + 20)
  })
})

it('a restored record is found by its earlier name and codes, whatever changed and when', async () => {
  await catalog.write([catalog.record('a', { name: 'Alpha', sku: '1001' })])
  await catalog.write([catalog.record('a', { name: 'Beta', sku: '1001' })])
  await catalog.write([catalog.record('a', { name: 'Beta', sku: '1002' })])
  await catalog.write([catalog.record('a', { name: 'Beta', sku: '1002', manufacturer: 'M' })])
  const found = async () => {
    const all = await Promise.all(['alpha', 'beta', '1001', '1002'].map((q) => idsFound(catalog, q)))
    return all.map((ids) => ids.length)
  }
  await history.restore(2)
  expect(await found()).toEqual([0, 1, 1, 0])
  await history.restore(1)
  expect(await found()).toEqual([1, 0, 1, 0])
  await history.restore(4)
  expect(await found()).toEqual([0, 1, 0, 1])
})

describe('a full history', () => {
  const MANY = LARGE_CHANGE_RECORDS + 1
  const changeMany = () => catalog.post(catalog.records(MANY, strengthOf('new')), { mode: 'reconcile' })

  it.for([
    ['takes more than twice the quota of bytes', 'size', '600'],
    ['has grown too much in the last ten minutes', 'growth', '60'],
  ] as const)('rejects restores and large writes because it %s', async ([, kind, retryAfter]) => {
    await catalog.write(catalog.records(MANY))
    await catalog.write([catalog.record('r0', { strength: 'x' })])
    const { leastBytes } = kind === 'size' ? HISTORY_LIMIT : HISTORY_GROWTH
    if (kind === 'size') await execute('update catalogs set version_bytes = ?', leastBytes)
    else await execute('update uploads set ended_bytes = ? where revision = 2', leastBytes)
    const restore = await history.send('POST', '/restore', { revision: 1 })
    expect([restore.status, restore.headers.get('Retry-After')]).toEqual([429, retryAfter])
    expect(restore.body).toMatchObject({ errors: [{ code: 'quota', quota: 'history', limit: leastBytes }] })
    expect(restore.text).toContain('Nothing was written')
    expect((await changeMany()).status).toBe(429)
    expect(await new TestUploads(catalog).list({ limit: 1 })).toMatchObject([{ outcome: 'quota' }])
    // Writes with few changes succeed, whatever the number of records sent.
    expect(await catalog.reconcile(catalog.records(MANY))).toMatchObject({ updated: MANY, unchanged: MANY - 1 })
    await quotaOf(catalog.workspace, { bytes: 10 * leastBytes })
    expect(await history.restore(1)).toMatchObject({ total: 0 })
    expect((await changeMany()).status).toBe(200)
  })

  it('may be as large as the records, even if the quota was lowered since', async () => {
    await catalog.write([catalog.record('a')])
    await execute('update catalogs set stored_bytes = ?1, version_bytes = ?1', HISTORY_LIMIT.leastBytes + 1)
    expect(await history.restore(1)).toMatchObject({ total: 0 })
  })

  it('has room again after ten minutes', async () => {
    await catalog.write([catalog.record('a')])
    await catalog.write([catalog.record('a', { strength: 'x' })])
    await execute('update uploads set ended_bytes = ? where revision = 2', HISTORY_GROWTH.leastBytes)
    await history.refused(429, 1)
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + HISTORY_GROWTH.minutes * 60_000)
    expect(await history.restore(1)).toMatchObject({ updated: 1 })
  })
})
