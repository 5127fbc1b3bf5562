import { beforeEach, describe, expect, it, vi } from 'vitest'
import { settleBackground } from '../../support/background'
import { catalogOfEachTest } from '../../support/catalog'
import { TestHistory } from '../../support/history'
import { jsonBody } from '../../support/service'
import { type DatabaseCall, type Fault, failing, lostAfter, lostBefore, serviceWith, writes } from './faulty-database'

/** The deadline of a request, and the duration of a slow database. */
const [LIMIT_MS, SLOW_MS] = [80, 160]
const TIMEOUT = 'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset: timed out'
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'
const UNHEARD_OF = 'D1_ERROR: Failed to parse body as JSON, got: error code: 1031'
const FULL = 'D1_ERROR: Exceeded maximum DB size'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)

beforeEach(async () => {
  await catalog.write([catalog.record('a', { strength: 'first' })])
  // Without waiting between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

const pause = (ms = SLOW_MS) => new Promise((resolve) => setTimeout(resolve, ms))
const through = (fault: Fault, options = {}) => catalog.through(serviceWith(fault, options))
const impatient = (fault: Fault) => through(fault, { deadlineMs: LIMIT_MS })
const strength = async () => (await catalog.get('a')).strength
const sent = (value: string) => [catalog.record('a', { strength: value })]
const isLookup = ({ statements }: DatabaseCall) => statements.some((text) => text.includes('from uploads'))

/** The ID in the response of a write with an unknown outcome. */
function unknownWrite({ message, errors }: { message: string; errors?: unknown[] }): string {
  const [error] = errors as [{ code: string; batch_id: string }]
  expect(error).toEqual({ code: 'unknown_outcome', batch_id: expect.any(String) })
  expect(message).toContain('may or may not have completed')
  expect(message).toContain(`GET /admin/catalogs/v1/medication/writes/${error.batch_id}`)
  return error.batch_id
}

describe('a request after its own 504', () => {
  const lostLate = async () => {
    await pause()
    return lostBefore()()
  }

  it.each([
    ['that was lost', 0, [lostLate], false],
    ['for which it waited when time ran out', 1, [lostBefore()], false],
    ['that was looked up when time ran out', 0, [lostBefore()], true],
  ] as const)('does not repeat a write %s, which would overwrite a newer one', async (_, random, faults, slow) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const fault = failing([...faults], writes)
    const withLookup = async (call: DatabaseCall) => {
      if (slow && isLookup(call) && !call.writes) await pause()
      return fault(call)
    }
    await catalog.refused(504, impatient(withLookup).post(sent('old')))
    await catalog.write(sent('new'))
    await settleBackground()
    expect([await strength(), fault.calls]).toEqual(['new', 1])
  })

  it('can be found by the ID in the 504 response, if it was applied', async () => {
    const slow = async (call: DatabaseCall) => {
      if (call.writes) await pause()
      return call.run()
    }
    const batchId = unknownWrite(await catalog.refused(504, impatient(slow).post(sent('slow'))))
    await settleBackground()
    expect(await history.write(batchId)).toMatchObject({ batch_id: batchId, updated: 1 })
  })
})

describe('a write that was applied', () => {
  const written = { updated: 1, revision: 2 }

  it.each([TIMEOUT, OVERLOADED, UNHEARD_OF])('returns 200 although the database reports "%s"', async (message) => {
    expect(await through(failing([lostAfter(message)], writes)).write(sent('written'))).toMatchObject(written)
    expect(await strength()).toBe('written')
  })

  it('returns 200 although the database is full when it is repeated', async () => {
    let arrives: (() => Promise<unknown>) | undefined
    const lost = ({ run }: DatabaseCall) => {
      arrives = run
      return lostBefore()()
    }
    const full = async () => {
      await arrives!()
      return lostBefore(FULL)()
    }
    expect(await through(failing([lost, full], writes)).write(sent('written'))).toMatchObject(written)
  })

  it.each([TIMEOUT, OVERLOADED, UNHEARD_OF])(
    'is reported as unknown, with the way to find out, while the database cannot be queried: "%s"',
    async (message) => {
      // Reads of the credential, before the write, work.
      const silent = (call: DatabaseCall) => (call.writes || isLookup(call) ? lostAfter(message)(call) : call.run())
      const refused = await catalog.refused(503, through(silent).post(sent('written')))
      expect(refused.message).not.toContain('Nothing was written')
      expect(await history.write(unknownWrite(refused))).toMatchObject(written)
    },
  )
})

describe('a write that is looked up and not found', () => {
  const REFUSED = 'D1_ERROR: no such table: nothing: SQLITE_ERROR'

  it.each([TIMEOUT, OVERLOADED])('may still be applied, so its outcome is unknown: "%s"', async (message) => {
    const arriving: (() => Promise<unknown>)[] = []
    const late: Fault = ({ run }) => {
      arriving.push(run)
      return lostBefore(message)()
    }
    const refused = await catalog.refused(503, through(failing([late], writes)).post(sent('written')))
    expect(refused.message).toContain('In a minute')
    const batchId = unknownWrite(refused)
    await arriving[0]!()
    expect(await history.write(batchId)).toMatchObject({ updated: 1, revision: 2 })
  })

  it('stays unknown if a later attempt is rejected', async () => {
    const fault = failing([lostBefore(), lostBefore(REFUSED)], writes)
    unknownWrite(await catalog.refused(503, through(fault).post(sent('written'))))
  })

  it('was not applied if each attempt was rejected', async () => {
    const refused = await catalog.refused(500, through(failing([lostBefore(REFUSED)], writes)).post(sent('written')))
    expect(refused.errors).toEqual([])
  })
})

it('a restore with a lost response is looked up like a write', async () => {
  await catalog.write(sent('second'))
  const restore = new TestHistory(through(failing([lostAfter(TIMEOUT)], writes))).restore(1)
  expect(await restore).toMatchObject({ revision: 3 })
  expect(await strength()).toBe('first')
})

it('an error for a full database does not claim that nothing was written if an earlier attempt was lost', async () => {
  const fault = failing([lostAfter(), lostBefore(FULL)], writes)
  const call = through(fault).send('POST', '/search-status/', {}, jsonBody({ enabled: true }))
  expect((await catalog.refused(507, call)).message).toContain('may or may not have completed')
  expect((await catalog.searchStatus()).enabled).toBe(true)
})
