import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { catalogOfEachTest, type TestCatalog } from '../../support/catalog'
import { callOperator } from '../../support/credentials'
import { brokenDatabase, rowsIn, several } from '../../support/databases'
import { dataFrom, jsonBody } from '../../support/service'
import { type DatabaseCall, exceptNotes, failing, lostAfter, lostBefore, serviceWith, writes } from './faulty-database'

const catalog = catalogOfEachTest()

beforeEach(async () => {
  await catalog.write([catalog.record('first')])
  // Without waiting between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

const TRANSIENT = [
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'Cannot resolve D1 DB due to transient issue on remote node.',
  'D1_ERROR: Failed to parse body as JSON, got: error code: 1031',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
]

const OVERLOADED = [
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset: timed out',
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Currently processing a long-running export.',
  'D1_ERROR: Currently processing a long-running import.',
  'Too many API requests by single worker invocation.',
  'D1_ERROR: internal error; reference = 0123456789abcdefghijklmnop',
  'D1_ERROR: database is locked: SQLITE_BUSY',
]

const FULL = ['D1_ERROR: Exceeded maximum DB size', 'D1_ERROR: database or disk is full: SQLITE_FULL']

/** An error for each of more attempts than there are. */
const lasting = (message?: string) => Array.from({ length: 10 }, () => lostBefore(message))

describe('a read', () => {
  it('is repeated after a temporary error', async () => {
    const reads = [(c: TestCatalog) => c.list(), (c: TestCatalog) => c.get('first'), (c: TestCatalog) => c.batches()]
    for (const [n, message] of TRANSIENT.entries()) {
      for (const lost of [lostBefore(message), lostAfter(message)]) {
        const fault = failing([lost])
        await reads[n % reads.length]!(catalog.through(serviceWith(fault)))
        expect(fault.calls, message).toBeGreaterThanOrEqual(2)
      }
    }
  })

  it('returns 503 with Retry-After if the error persists, and immediately if the database is overloaded', async () => {
    // D1 itself repeats each call twice.
    for (const [message, calls] of [
      [TRANSIENT[0], 2],
      ...OVERLOADED.map((message) => [message, 1] as const),
    ] as const) {
      const fault = failing(lasting(message))
      const answer = await catalog.through(serviceWith(fault)).send('GET', '/first/')
      expect([answer.status, fault.calls], message).toEqual([503, calls])
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(answer.text).not.toContain('D1')
    }
  })
})

describe('the log', () => {
  const logOf = async (work: Promise<unknown>) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await work.catch(() => undefined)
    return log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
  }

  it.each([
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', { database_fault: 'D1 DB is overloaded' }],
    [
      'D1_ERROR: internal error; reference = 0123456789abcdefghijklmnop: private',
      { database_fault: 'internal error; reference =', database_reference: '0123456789abcdefghijklmnop' },
    ],
  ])('shows which error it was, without its values: %s', async (message, fault) => {
    const lines = await logOf(catalog.through(serviceWith(failing([lostBefore(message)]))).send('GET', '/first/'))
    expect(lines.at(-1)).toMatchObject({ status: 503, reason: 'database unavailable, not tried again', ...fault })
    expect(JSON.stringify(lines)).not.toContain('private')
  })

  it('also shows it for a repeated read, and for the scheduled run', async () => {
    const read = await logOf(catalog.through(serviceWith(failing(lasting()))).send('GET', '/first/'))
    const fault = { reason: 'database unavailable after retries', database_fault: 'Network connection lost' }
    expect(read.at(-1)).toMatchObject(fault)
    const fullMemory = "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset."
    const bindings = { ...several, DB_2: brokenDatabase(fullMemory) }
    const ofRun = { database: 'DB_2', database_fault: 'exceeded its memory limit' }
    const run = runScheduled(bindings, new Date())
    expect(await logOf(run)).toContainEqual(expect.objectContaining(ofRun))
    await expect(run).rejects.toThrow('not everything was done')
  })
})

it('an export continues after an error between two of its pages, and breaks off if it persists', async () => {
  await catalog.write(catalog.records(1200))
  const whole = await catalog.export()
  const through = (faults: Parameters<typeof failing>[0]) =>
    catalog.through(serviceWith(failing([({ run }) => run(), ...faults]))).export()
  expect(await through([lostBefore()])).toBe(whole)
  // If it persists, no client may mistake the part for the whole.
  await expect(through(lasting())).rejects.toThrow()
})

describe('a write', () => {
  const sent = () => [catalog.record('first', { strength: 'new' }), catalog.record('second')]
  const counts = { total: 2, inserted: 1, updated: 1, unchanged: 0 }
  const expected = { ...counts, active_before: 1, active_after: 2, revision: 2 }
  const reconcile = { mode: 'reconcile', expected_revision: 1 }

  it('is applied once if it is lost several times on the way, and its response too', async () => {
    const fault = failing([lostBefore(), lostBefore(), lostAfter()], writes)
    expect(await catalog.through(serviceWith(fault)).write(sent(), reconcile)).toMatchObject(expected)
    expect(fault.calls).toBe(3)
    expect(await rowsIn('DB', 'uploads')).toBe(2)
    expect(await catalog.write(sent())).toMatchObject({ unchanged: 2, revision: 2 })
  })

  it('is applied once if a lost attempt arrives after the next one was sent', async () => {
    let late: (() => Promise<unknown>) | undefined
    const lost = ({ run }: DatabaseCall) => {
      late = run
      return lostBefore()()
    }
    const overtaken = async ({ run }: DatabaseCall) => {
      await late!()
      return run()
    }
    const through = catalog.through(serviceWith(failing([lost, overtaken], writes)))
    expect(await through.write(sent(), reconcile)).toMatchObject(expected)
    expect(await rowsIn('DB', 'uploads')).toBe(2)
    expect(await catalog.write([])).toMatchObject({ revision: 2, active_after: 2 })
  })

  it('returns 503 and is not applied if the error persists', async () => {
    const answer = await catalog.through(serviceWith(failing(lasting(), writes))).post(sent())
    expect([answer.status, answer.headers.has('Retry-After')]).toEqual([503, true])
    expect(await rowsIn('DB', 'records')).toBe(1)
    expect(await catalog.write(sent())).toMatchObject(expected)
  })

  it('returns immediately: 503 if the database is overloaded, 507 if it is full', async () => {
    for (const message of [...OVERLOADED, ...FULL]) {
      const fault = failing([lostBefore(message)], writes)
      const status = FULL.includes(message) ? 507 : 503
      const { message: said } = await catalog.refused(status, catalog.through(serviceWith(fault)).post(sent()))
      // SQLite rolls back a statement that it rejects. The others may be executed later.
      const words = message.includes('SQLITE') ? 'It is safe to retry' : 'may or may not have completed'
      expect(said, message).toContain(status === 507 ? 'Nothing was written' : words)
      expect([fault.calls, await rowsIn('DB', 'records')], message).toEqual([1, 1])
    }
  })

  it('that contains the text of an error is not mistaken for one', async () => {
    const broken = () => serviceWith(failing([lostBefore('D1_ERROR: no such table: nothing: SQLITE_ERROR')], writes))
    const records = [catalog.record('timed out', { strength: 'SQLITE_FULL' })]
    expect((await catalog.through(broken()).post(records)).status).toBe(500)
    const body = { name: 'timed out, SQLITE_FULL' }
    expect((await callOperator('/clients', body, 'POST', broken())).status).toBe(500)
  })

  it('that creates a workspace is repeated and creates it once', async () => {
    const inserts = ({ statements }: DatabaseCall) =>
      statements.some((sql) => sql.startsWith('insert into "workspaces"'))
    const fault = failing([lostAfter()], inserts)
    const body = { workspace_id: `ws_${crypto.randomUUID()}`, name: 'made once' }
    expect(await dataFrom(callOperator('/workspaces', body, 'POST', serviceWith(fault)))).toMatchObject(body)
    expect(fault.calls).toBe(2)
  })

  it('that is rejected on its second attempt is rejected if no later state can let the first one succeed', async () => {
    const through = () => catalog.through(serviceWith(failing([lostBefore()], writes)))
    await catalog.refused(409, through().post(sent(), { expected_revision: 7 }))
    // The guard lets the first one succeed if another client adds records before it arrives.
    const { errors } = await catalog.refused(503, through().post([], { mode: 'reconcile' }))
    expect(errors).toEqual([{ code: 'unknown_outcome', batch_id: expect.any(String) }])
  })

  it('of the search setting is repeated, because that is safe', async () => {
    const fault = failing([lostAfter(), lostBefore()], writes)
    const status = await catalog.through(serviceWith(fault)).setSearch(true)
    expect(status.enabled).toBe(true)
    expect(await catalog.searchStatus()).toEqual(status)
    const overloaded = catalog.through(serviceWith(failing([lostBefore(OVERLOADED[0])], writes)))
    expect((await overloaded.send('POST', '/search-status/', {}, jsonBody({ enabled: false }))).status).toBe(503)
    expect((await catalog.searchStatus()).enabled).toBe(true)
  })
})

it('any other error returns a 500 without details, and is not repeated', async () => {
  const message = 'D1_ERROR: no such column: secret_thing at offset 7: SQLITE_ERROR'
  for (const call of [
    (c: TestCatalog) => c.send('GET', '/'),
    (c: TestCatalog) => c.post([c.record('x')]),
    (c: TestCatalog) => c.post([c.record('x')], { dry_run: true }),
  ]) {
    const fault = failing([lostBefore(message)], exceptNotes)
    const answer = await call(catalog.through(serviceWith(fault)))
    expect([answer.status, fault.calls]).toEqual([500, 1])
    expect(answer.text).not.toMatch(/secret|D1|SQLITE|column/)
  }
})
