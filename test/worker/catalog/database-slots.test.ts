import { beforeEach, describe, expect, it } from 'vitest'
import { LARGE_BODY_BYTES } from '#shared/limits'
import { CHEAP_LIST_RECORDS } from '#worker/catalog/read/filter'
import type { AppContext } from '#worker/http/context'
import { takeBodySlot } from '#worker/http/limits/body-slots'
import { SHARE_UNDER_WAY_MS, withDatabaseSlot, withWriteSlot } from '#worker/http/limits/database-slots'
import { MOST_WAITING } from '#worker/http/limits/lease-queue'
import { RequestLeases } from '#worker/http/limits/request-leases'
import { Meter } from '#worker/storage/meter'
import { catalogOfEachTest, type Query } from '../../support/catalog'
import { databaseOf } from '../../support/databases'
import { TestHistory } from '../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
let batchId: string

beforeEach(async () => {
  batchId = (await catalog.upload('id,name\na,A\nb,B')).batch_id!
})

/** A request of a client of the workspace. */
async function programRequest(): Promise<AppContext> {
  const { workspaceId } = catalog.workspace
  const caller = { workspaceId, databaseBinding: await databaseOf(workspaceId) }
  const executionCtx = { waitUntil: () => undefined }
  return { var: { caller, meter: new Meter(), leases: new RequestLeases() }, executionCtx } as unknown as AppContext
}

/** Consecutive reads of the workspace that use its database as long as a part of a workspace may. */
async function readLong(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const c = await programRequest()
    await withDatabaseSlot(c, async () => c.var.meter.add({ duration: SHARE_UNDER_WAY_MS }))
  }
}

const dryRun = (query: Query = {}) => catalog.post(catalog.records(2), { dry_run: true, ...query })
const inHistory = (path: string, query: Query = {}) => history.send('GET', path, query)
const restoring = (query: Query = {}) => history.send('POST', '/restore', { revision: 0, dry_run: true, ...query })

const DIFF = { include: 'diff' }
const FILE = { format: 'csv' }

const EXPENSIVE = {
  'a search': () => catalog.send('GET', '/', { q: 'a' }),
  'an export': () => catalog.send('GET', '/', FILE),
  'a list of late changes': () => catalog.send('GET', '/', { updated_since: '2026-01-01T00:00:00.000Z' }),
  'a page of more than a hundred records': () => catalog.send('GET', '/', { limit: 101 }),
  'a page far from the start': () => catalog.send('GET', '/', { offset: CHEAP_LIST_RECORDS }),
  'a dry run': () => dryRun(),
  'a diff': () => dryRun(DIFF),
  'a dry run of a file': () => catalog.postCsv('id,name\na,A', { dry_run: true }),
  'the diff of a restore': () => restoring(DIFF),
  'a mirror feed': () => inHistory('/changes'),
  'the list of writes': () => inHistory('/writes'),
  'the list of uploads': () => catalog.send('GET', '/batches/'),
  'the uploads': () => inHistory('/uploads'),
  'the changes of a write': () => inHistory(`/writes/${batchId}/changes`),
  'the changes of a write as a file': () => inHistory(`/writes/${batchId}/changes`, FILE),
  'the versions of a record': () => inHistory('/records/a/history'),
}

const CHEAP = {
  'a page of a hundred records': () => catalog.send('GET', '/', { limit: 100 }),
  'a record': () => catalog.send('GET', '/a/'),
  'the status of the catalog': () => inHistory(''),
  'a write': () => catalog.post(catalog.records(1)),
}

/** Requests that may touch a whole catalog, whether or not they change anything. */
const WHOLE = {
  'a reconcile': () => catalog.post([], { mode: 'reconcile' }),
  'a reconcile of a file': () => catalog.postCsv('id,name\na,A', { mode: 'reconcile' }),
  'a restore': () => history.send('POST', '/restore', { revision: 0 }),
  'an undo': () => history.send('POST', `/writes/${batchId}/undo`),
}

it('if the queue of a workspace is full, each expensive request is told when to retry', async () => {
  await readLong(20)
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const c = await programRequest()
  for (let n = 0; n <= MOST_WAITING; n++) {
    void withDatabaseSlot(c, () => promise)
    void withWriteSlot(c, () => promise)
  }
  for (const [name, send] of Object.entries({ ...EXPENSIVE, ...WHOLE })) {
    const { status, headers } = await send()
    expect([status, headers.get('Retry-After')], name).toEqual([429, '5'])
  }
  for (const [name, send] of Object.entries(CHEAP)) expect((await send()).status, name).toBe(200)
  end()
})

it('a workspace with slow reads gets changes as a file, whose first part does not wait for itself', async () => {
  await readLong(8)
  const from = Date.now()
  expect((await inHistory(`/writes/${batchId}/changes`, FILE)).status).toBe(200)
  expect(Date.now() - from).toBeLessThan(10_000)
})

describe('files of a workspace that wait to be read', () => {
  const large = () => catalog.records(1200, () => ({ manufacturer: 'x'.repeat(60) }))

  it.each([
    ['dry runs', { dry_run: true }],
    ['dry runs with a diff', { dry_run: true, ...DIFF }],
    ['diffs as files', { dry_run: true, ...DIFF, ...FILE }],
    ['reconciles', { mode: 'reconcile', confirm_shrink: true }],
  ])('block none of its searches and restores: %s', async (_, query) => {
    const c = await programRequest()
    const endReading = await takeBodySlot(c, 2 * LARGE_BODY_BYTES)
    const answers = Array.from({ length: 10 }, () => catalog.post(large(), query))
    // Their bodies arrive.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const from = Date.now()
    const statuses = [
      await catalog.send('GET', '/', { q: 'a' }),
      await history.send('POST', '/restore', { revision: 1 }),
    ]
    const ms = Date.now() - from
    endReading()
    expect(statuses.map(({ status }) => status)).toEqual([200, 200])
    expect(ms).toBeLessThan(1500)
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  })
})
