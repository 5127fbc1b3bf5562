import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atDistance, delayedBy, withDelay } from '../../../scripts/local/bindings.mjs'
import { newCatalog, type Query, type TestCatalog } from '../../support/catalog'
import { eventually } from '../../support/eventually'
import { TestHistory } from '../../support/history'
import { calling } from '../../support/service'

/** Simultaneous clients of one workspace. */
const CLIENTS = 16

/** A trip to a database that says that it was quick, as on a machine with nothing else to do. */
async function quick<T>(call: () => Promise<T>): Promise<T> {
  const answer = await call()
  for (const result of [answer].flat()) {
    const { meta } = (result ?? {}) as Partial<D1Result>
    if (meta !== undefined) meta.duration = 0
  }
  return answer
}

/** A delay in which every call waits until the gate opens. */
class Gate {
  waiting = 0
  readonly #open = Promise.withResolvers<void>()
  readonly open = this.#open.resolve

  readonly trip = async <T>(call: () => Promise<T>): Promise<T> => {
    this.waiting++
    await this.#open.promise
    return quick(call)
  }
}

let catalog: TestCatalog
let gate: Gate
/** The same catalog, when its databases are far away. */
let far: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog()
  await catalog.write(catalog.records(20, (n) => ({ name: `Record ${n}` })))
  // A first read is expected to be long. What these cost is known then.
  const near = catalog.through(calling(undefined, atDistance(env, quick)))
  for (let n = 0; n < 12; n++) await near.list({ q: 'rec' })
  gate = new Gate()
  far = catalog.through(calling(undefined, atDistance(env, gate.trip)))
})

const list = (query: Query) => far.send('GET', '/', query)

const READS: Record<string, (n: number) => Promise<{ status: number }>> = {
  'lists with a text': (n) => list({ q: `rec ${n}` }),
  'histories of records': (n) => new TestHistory(far).send('GET', `/records/r${n}/history`),
  'lists of writes': () => new TestHistory(far).send('GET', '/writes'),
  'dry runs of five records': () => far.post(far.records(5), { dry_run: true }),
}

describe('the reads of sixteen clients of one workspace', () => {
  it.each(Object.entries(READS))('that ask for %s are all under way at once', async (_, read) => {
    const answers = Array.from({ length: CLIENTS }, (_, n) => read(n))
    await eventually(() => expect(gate.waiting).toBe(CLIENTS))
    gate.open()
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  })
})

describe('a delay before a database', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it.each([
    [0, 24],
    [0.5, 30],
    [1, 36],
  ])('takes its time there and back, and varies by a fifth: %d', async (random, ms) => {
    const done = vi.fn()
    void delayedBy(30, () => random)(async () => 'result').then(done)
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(done).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toHaveBeenCalledWith('result')
  })
})

describe('a database with trips', () => {
  it('makes one for each call, and answers as it does', async () => {
    let trips = 0
    const trip = <T>(call: () => Promise<T>): Promise<T> => {
      trips++
      return call()
    }
    const database = withDelay(env.DB, trip)
    const statement = database.prepare('select ? as n')
    expect(await statement.bind(1).first('n')).toBe(1)
    expect((await statement.bind(2).all()).results).toEqual([{ n: 2 }])
    const session = database.withSession('first-primary')
    const results = await session.batch([session.prepare('select 1 as n'), session.prepare('select 2 as n')])
    expect(results.map((result) => result.results)).toEqual([[{ n: 1 }], [{ n: 2 }]])
    expect(session.getBookmark()).toEqual(expect.any(String))
    expect(trips).toBe(3)
  })
})
