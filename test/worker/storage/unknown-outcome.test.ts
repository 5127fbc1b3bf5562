import { beforeEach, describe, expect, it, vi } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'
import { TestHistory } from '../../support/history'
import { type DatabaseCall, type Fault, failing, lostAfter, lostBefore, serviceWith, writes } from './faulty-database'

const LIMIT_MS = 80
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

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const through = (fault: Fault, options = {}) => catalog.through(serviceWith(fault, options))
const strength = async () => (await catalog.get('a')).strength
const sent = (value: string) => [catalog.record('a', { strength: value })]

/** The id that an answer names for a write with an unknown outcome. */
function unknownWrite({ message, errors }: { message: string; errors?: unknown[] }): string {
  const [error] = errors as [{ code: string; batch_id: string }]
  expect(error).toEqual({ code: 'unknown_outcome', batch_id: expect.any(String) })
  expect(message).toContain('not known whether')
  expect(message).toContain(`GET /admin/catalogs/v1/medication/writes/${error.batch_id}`)
  return error.batch_id
}

describe('after its own 504, a request', () => {
  const lostLate = async () => {
    await pause(2 * LIMIT_MS)
    return lostBefore()()
  }

  /** A write whose time runs out, and a newer one, which it must not overwrite. */
  async function expectNotSentAgain(fault: Fault): Promise<void> {
    await catalog.refused(504, through(fault, { deadlineMs: LIMIT_MS }).post(sent('old')))
    await catalog.write(sent('new'))
    await pause(4 * LIMIT_MS)
    expect(await strength()).toBe('new')
  }

  it('does not send a lost write again, which would overwrite a newer one', async () => {
    const fault = failing([lostLate], writes)
    await expectNotSentAgain(fault)
    expect(fault.calls).toBe(1)
  })

  it('does not send one again for which it waited when time ran out', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const fault = failing([lostBefore()], writes)
    await expectNotSentAgain(fault)
    expect(fault.calls).toBe(1)
  })

  it('does not send one again that was looked up when time ran out', async () => {
    let sentTimes = 0
    const slowLookup = async (call: DatabaseCall) => {
      if (writes(call) && sentTimes++ === 0) return lostBefore()()
      if (call.statements.some((text) => text.includes('from uploads'))) await pause(2 * LIMIT_MS)
      return call.run()
    }
    await expectNotSentAgain(slowLookup)
    expect(sentTimes).toBe(1)
  })

  it('does not set the search switch again', async () => {
    const fault = failing([lostLate], writes)
    const init = { headers: { 'Content-Type': 'application/json' }, body: '{"enabled":true}' }
    const late = through(fault, { deadlineMs: LIMIT_MS }).send('POST', '/search-status/', {}, init)
    await catalog.refused(504, late)
    await catalog.setSearch(false)
    await pause(3 * LIMIT_MS)
    expect((await catalog.searchStatus()).enabled).toBe(false)
  })

  it('can be found by the id that the 504 names, if it was carried out', async () => {
    const slow = async (call: DatabaseCall) => {
      if (call.writes) await pause(2 * LIMIT_MS)
      return call.run()
    }
    const late = through(slow, { deadlineMs: LIMIT_MS }).post(sent('slow'))
    const batchId = unknownWrite(await catalog.refused(504, late))
    await pause(3 * LIMIT_MS)
    expect(await history.write(batchId)).toMatchObject({ batch_id: batchId, updated: 1 })
  })
})

describe('a write that was carried out', () => {
  it.each([TIMEOUT, OVERLOADED, UNHEARD_OF])('is answered 200 although the database says "%s"', async (message) => {
    const answer = await through(failing([lostAfter(message)], writes)).write(sent('written'))
    expect(answer).toMatchObject({ updated: 1, revision: 2 })
    expect(await strength()).toBe('written')
  })

  it('is answered 200 although the database is full when it is repeated', async () => {
    let arrives: (() => Promise<unknown>) | undefined
    const lost = ({ run }: DatabaseCall) => {
      arrives = run
      return lostBefore()()
    }
    const full = async () => {
      await arrives!()
      return lostBefore(FULL)()
    }
    const answer = await through(failing([lost, full], writes)).write(sent('written'))
    expect(answer).toMatchObject({ updated: 1, revision: 2 })
  })

  it.each([[TIMEOUT], [OVERLOADED], [UNHEARD_OF]])(
    'is reported as unknown, with the way to find out, while the database cannot be asked: "%s"',
    async (message) => {
      const silent = async (call: DatabaseCall) => {
        // Reads of the credential, before the write, work.
        if (!call.writes && !call.statements.some((text) => text.includes('from uploads'))) return call.run()
        return lostAfter(message)(call)
      }
      const refused = await catalog.refused(503, through(silent).post(sent('written')))
      expect(refused.message).not.toContain('Nothing was written')
      expect(await history.write(unknownWrite(refused))).toMatchObject({ updated: 1, revision: 2 })
    },
  )
})

it('a lost answer of a restore is looked up as one of a write is', async () => {
  await catalog.write(sent('second'))
  const restore = (fault: Fault) => new TestHistory(through(fault)).restore(1)
  expect(await restore(failing([lostAfter(TIMEOUT)], writes))).toMatchObject({ revision: 3 })
  expect(await strength()).toBe('first')
})

it('a full database is not said to have written nothing, if an attempt before was lost', async () => {
  const init = { headers: { 'Content-Type': 'application/json' }, body: '{"enabled":true}' }
  const fault = failing([lostAfter(), lostBefore(FULL)], writes)
  const refused = await catalog.refused(507, through(fault).send('POST', '/search-status/', {}, init))
  expect(refused.message).toContain('not known whether')
  expect((await catalog.searchStatus()).enabled).toBe(true)
})
