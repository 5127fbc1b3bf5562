import { beforeEach, describe, expect, it } from 'vitest'
import { CHEAP_LIST_RECORDS } from '#worker/catalog/read/filter'
import type { AppContext } from '#worker/http/context'
import { expensiveRead, READ_CREDIT_MS, READS_UNDER_WAY_MS } from '#worker/http/sharing/read-turns'
import { Meter } from '#worker/storage/meter'
import { catalogOfEachTest, type Query } from '../../support/catalog'
import { TestHistory } from '../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
let batchId: string

beforeEach(async () => {
  batchId = (await catalog.upload('id,name\na,A\nb,B')).batch_id!
})

/** A read of the workspace that takes the database this many milliseconds. */
function read(duration: number): Promise<unknown> {
  const { workspaceId } = catalog.workspace
  const meter = new Meter()
  const c = { var: { caller: { workspaceId }, meter } } as unknown as AppContext
  return expensiveRead(c, async () => meter.add({ duration }))
}

const dryRun = (query: Query = {}) => catalog.post(catalog.records(2), { dry_run: true, ...query })
const inHistory = (path: string, query: Query = {}) => history.send('GET', path, query)
const restoring = (query: Query = {}) => history.send('POST', '/restore', { revision: 0, dry_run: true, ...query })

const DIFF = { include: 'diff' }
const FILE = { format: 'csv' }

const EXPENSIVE = {
  'a search': () => catalog.send('GET', '/', { q: 'a' }),
  'a search as a file': () => catalog.send('GET', '/', { q: 'a', ...FILE }),
  'an export': () => catalog.send('GET', '/', FILE),
  'a list of late changes': () => catalog.send('GET', '/', { updated_since: '2026-01-01T00:00:00.000Z' }),
  'a page far from the start': () => catalog.send('GET', '/', { offset: CHEAP_LIST_RECORDS }),
  'a dry run': () => dryRun(),
  'a dry run of a reconcile': () => dryRun({ mode: 'reconcile' }),
  'a diff': () => dryRun(DIFF),
  'a diff as a file': () => dryRun({ ...DIFF, ...FILE }),
  'a dry run of a file': () => catalog.postCsv('id,name\na,A', { dry_run: true }),
  'a dry run of a restore': () => restoring(),
  'the diff of a restore': () => restoring(DIFF),
  'the diff of a restore as a file': () => restoring({ ...DIFF, ...FILE }),
  'a mirror feed': () => inHistory('/changes'),
  'the list of writes': () => inHistory('/writes'),
  'the list of uploads': () => catalog.send('GET', '/batches/'),
  'the uploads': () => inHistory('/uploads'),
  'the changes of a write': () => inHistory(`/writes/${batchId}/changes`),
  'the changes of a write as a file': () => inHistory(`/writes/${batchId}/changes`, FILE),
  'the versions of a record': () => inHistory('/records/a/history'),
}

const CHEAP = {
  'the first page of a list': () => catalog.send('GET', '/'),
  'a record': () => catalog.send('GET', '/a/'),
  'the status of the catalog': () => inHistory(''),
  'a write': () => catalog.post(catalog.records(1)),
}

const named = (requests: Record<string, () => Promise<{ status: number; headers: Headers }>>) =>
  Object.entries(requests).map(([name, send]) => ({ name, send }))

describe('a workspace that has read more than it may', () => {
  beforeEach(() => read(READ_CREDIT_MS + 20_000))

  it.each(named(EXPENSIVE))('is refused $name, and told when to come again', async ({ send }) => {
    const { status, headers } = await send()
    expect(status).toBe(429)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60)
  })

  it.each(named(CHEAP))('still gets $name', async ({ send }) => {
    expect((await send()).status).toBe(200)
  })
})

it('a workspace whose reads take long gets changes as a file: the first part does not wait for itself', async () => {
  for (let n = 0; n < 8; n++) await read(READS_UNDER_WAY_MS)
  const from = Date.now()
  expect((await inHistory(`/writes/${batchId}/changes`, FILE)).status).toBe(200)
  expect(Date.now() - from).toBeLessThan(10_000)
})
