import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { catalogOfEachTest, type TestCatalog } from '../../support/catalog'
import { callOperator } from '../../support/credentials'
import { brokenDatabase, rowsIn, several } from '../../support/databases'
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

describe('a read', () => {
  it('is tried again after a fault that passes', async () => {
    const reads = [(c: TestCatalog) => c.list(), (c: TestCatalog) => c.get('first'), (c: TestCatalog) => c.batches()]
    for (const [n, message] of TRANSIENT.entries()) {
      for (const lost of [lostBefore(message), lostAfter(message)]) {
        const fault = failing([lost])
        await reads[n % reads.length]!(catalog.through(serviceWith(fault)))
        expect(fault.calls, message).toBeGreaterThanOrEqual(2)
      }
    }
  })

  it('is answered 503 with Retry-After when the fault does not pass', async () => {
    const fault = failing(Array.from({ length: 10 }, () => lostBefore()))
    const answer = await catalog.through(serviceWith(fault)).send('GET', '/')
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(answer.text).not.toContain('D1')
    // D1 repeats each of them twice by itself.
    expect(fault.calls).toBe(2)
  })

  it('is answered 503 at once when the database is overloaded', async () => {
    for (const message of OVERLOADED) {
      const fault = failing([lostBefore(message)])
      const answer = await catalog.through(serviceWith(fault)).send('GET', '/first/')
      expect(answer.status, message).toBe(503)
      expect(answer.headers.has('Retry-After')).toBe(true)
      expect(fault.calls, message).toBe(1)
    }
  })
})

describe('the log', () => {
  /** What the log says of a fault besides the cost of its request. */
  const loggedOf = async (work: () => Promise<unknown>) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await work().catch(() => undefined)
    return JSON.parse(String(log.mock.calls.at(-1)?.[0])) as Record<string, unknown>
  }

  it.each([
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', { database_fault: 'D1 DB is overloaded' }],
    [
      'D1_ERROR: internal error; reference = 0123456789abcdefghijklmnop: private',
      { database_fault: 'internal error; reference =', database_reference: '0123456789abcdefghijklmnop' },
    ],
  ])('tells which fault it was, and nothing of its values: %s', async (message, fault) => {
    const through = catalog.through(serviceWith(failing([lostBefore(message)])))
    const line = await loggedOf(() => through.send('GET', '/first/'))
    expect(line).toMatchObject({ status: 503, reason: 'database unavailable, not tried again', ...fault })
    expect(JSON.stringify(line)).not.toContain('private')
  })

  it('tells it of a read that was tried again', async () => {
    const through = catalog.through(serviceWith(failing([lostBefore(), lostBefore()])))
    const fault = { reason: 'database unavailable after retries', database_fault: 'Network connection lost' }
    expect(await loggedOf(() => through.send('GET', '/first/'))).toMatchObject(fault)
  })

  it('tells it of the scheduled run', async () => {
    const bindings = {
      ...several,
      DB_2: brokenDatabase("D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset."),
    }
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await expect(runScheduled(bindings, new Date())).rejects.toThrow('not everything was done')
    const fault = { database: 'DB_2', database_fault: 'exceeded its memory limit' }
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toContainEqual(expect.objectContaining(fault))
  })
})

describe('an export', () => {
  it('goes on after a fault between two of its pages, and breaks off when it does not pass', async () => {
    await catalog.write(catalog.records(1200))
    const whole = await catalog.export()
    const fault = failing([({ run }) => run(), lostBefore()])
    expect(await catalog.through(serviceWith(fault)).export()).toBe(whole)
    // If it does not pass, nobody must mistake the part for the whole.
    const lasting = failing([({ run }) => run(), ...Array.from({ length: 10 }, () => lostBefore())])
    await expect(catalog.through(serviceWith(lasting)).export()).rejects.toThrow()
  })
})

describe('a write', () => {
  const sent = () => [catalog.record('first', { strength: 'new' }), catalog.record('second')]
  const counts = { total: 2, inserted: 1, updated: 1, unchanged: 0 }
  const expected = { ...counts, active_before: 1, active_after: 2, revision: 2 }

  it('is carried out once when it is lost on its way several times, and its answer too', async () => {
    const fault = failing([lostBefore(), lostBefore(), lostAfter()], writes)
    const query = { mode: 'reconcile', expected_revision: 1 }
    expect(await catalog.through(serviceWith(fault)).write(sent(), query)).toMatchObject(expected)
    expect(fault.calls).toBe(3)
    expect(await rowsIn('DB', 'uploads')).toBe(2)
    expect(await catalog.write(sent())).toMatchObject({ unchanged: 2, revision: 2 })
  })

  it('is carried out once when a lost attempt arrives after the next one was sent', async () => {
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
    expect(await through.write(sent(), { mode: 'reconcile', expected_revision: 1 })).toMatchObject(expected)
    expect(await rowsIn('DB', 'uploads')).toBe(2)
    expect(await catalog.write([])).toMatchObject({ revision: 2, active_after: 2 })
  })

  it('is answered 503 and not carried out when the fault does not pass', async () => {
    const fault = failing(
      Array.from({ length: 10 }, () => lostBefore()),
      writes,
    )
    const answer = await catalog.through(serviceWith(fault)).post(sent())
    expect(answer.status).toBe(503)
    expect(answer.headers.has('Retry-After')).toBe(true)
    expect(await rowsIn('DB', 'records')).toBe(1)
    expect(await catalog.write(sent())).toMatchObject(expected)
  })

  it('is answered 503 at once when the database is overloaded, which says that it may be sent again', async () => {
    for (const message of OVERLOADED) {
      const fault = failing([lostBefore(message)], writes)
      const { message: said } = await catalog.refused(503, catalog.through(serviceWith(fault)).post(sent()))
      // A statement that SQLite refused was rolled back. The others are looked up.
      expect(said).toContain(message.includes('SQLITE') ? 'trying again is safe' : 'does not have this write')
      expect([fault.calls, await rowsIn('DB', 'records')], message).toEqual([1, 1])
    }
  })

  it('is answered 507 at once when the database is full, and says that nothing was written', async () => {
    for (const message of FULL) {
      const fault = failing([lostBefore(message)], writes)
      const answer = await catalog.through(serviceWith(fault)).post(sent())
      expect(answer.status, message).toBe(507)
      expect(answer.body).toEqual({ success: false, message: expect.stringContaining('Nothing was written') })
      expect(fault.calls, message).toBe(1)
    }
  })

  it('whose own text names a fault is not mistaken for one', async () => {
    const message = 'D1_ERROR: no such table: nothing: SQLITE_ERROR'
    const fault = failing([lostBefore(message)], writes)
    const records = [catalog.record('timed out', { strength: 'SQLITE_FULL' })]
    expect((await catalog.through(serviceWith(fault)).post(records)).status).toBe(500)
    const client = serviceWith(failing([lostBefore(message)], writes))
    const body = { name: 'timed out, SQLITE_FULL' }
    expect((await callOperator('/clients', body, 'POST', client)).status).toBe(500)
  })

  it('of a workspace is repeated and makes it once; another one finds the id taken', async () => {
    const inserts = ({ statements }: { statements: string[] }) =>
      statements.some((sql) => sql.startsWith('insert into "workspaces"'))
    const fault = failing([lostAfter()], inserts)
    const body = { workspace_id: `ws_${crypto.randomUUID()}`, name: 'made once' }
    const answer = await callOperator('/workspaces', body, 'POST', serviceWith(fault))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ data: body })
    expect(fault.calls).toBe(2)
    expect((await callOperator('/workspaces', body)).status).toBe(409)
  })

  it('that is refused is also refused on its second attempt, with the counts of that moment', async () => {
    const guarded = failing([lostBefore()], writes)
    const through = catalog.through(serviceWith(guarded))
    const { errors } = await catalog.refused(409, through.post([], { mode: 'reconcile' }))
    expect(errors).toMatchObject([{ code: 'shrink_guard', active_before: 1, would_deactivate: 1 }])
    const stale = catalog.through(serviceWith(failing([lostBefore()], writes)))
    await catalog.refused(409, stale.post(sent(), { expected_revision: 7 }))
  })

  it('of the search status is repeated, because that is safe', async () => {
    const fault = failing([lostAfter(), lostBefore()], writes)
    const status = await catalog.through(serviceWith(fault)).setSearch(true)
    expect(status.enabled).toBe(true)
    expect(await catalog.searchStatus()).toEqual(status)
    const overloaded = serviceWith(failing([lostBefore(OVERLOADED[0])], writes))
    const init = { headers: { 'Content-Type': 'application/json' }, body: '{"enabled":false}' }
    expect((await catalog.through(overloaded).send('POST', '/search-status/', {}, init)).status).toBe(503)
    expect((await catalog.searchStatus()).enabled).toBe(true)
  })
})

describe('any other fault', () => {
  it('is a 500 without details, and is not repeated', async () => {
    const message = 'D1_ERROR: no such column: secret_thing at offset 7: SQLITE_ERROR'
    for (const call of [
      (c: TestCatalog) => c.send('GET', '/'),
      (c: TestCatalog) => c.post([c.record('x')]),
      (c: TestCatalog) => c.post([c.record('x')], { dry_run: true }),
    ]) {
      const fault = failing([lostBefore(message)], exceptNotes)
      const answer = await call(catalog.through(serviceWith(fault)))
      expect(answer.status).toBe(500)
      expect(answer.text).not.toMatch(/secret|D1|SQLITE|column/)
      expect(fault.calls).toBe(1)
    }
  })
})
