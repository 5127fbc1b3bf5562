import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import type { AppContext } from '#worker/http/context'
import {
  expensiveRead,
  READ_CREDIT_MS,
  READ_SHARE,
  READS_UNDER_WAY_MS,
  readsInTurn,
} from '#worker/http/sharing/read-turns'
import { Meter, MOST_QUERY_WEIGHT } from '#worker/storage/meter'

beforeEach(() => void vi.useFakeTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A database that runs one query at a time, some milliseconds away. */
class Far {
  busyMs = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(readonly distanceMs = 0) {}

  async query(ms: number, meter: Meter): Promise<void> {
    await this.#half()
    this.#last = this.#last.then(() => sleep(ms))
    await this.#last
    this.busyMs += ms
    meter.add({ duration: ms })
    await this.#half()
  }

  async #half(): Promise<void> {
    if (this.distanceMs > 0) await sleep(this.distanceMs / 2)
  }
}

let workspaces = 0
const newWorkspaceId = () => `reader-${workspaces++}`

const program = (workspaceId = newWorkspaceId()): Caller => ({
  workspaceId,
  databaseBinding: 'DB',
  state: 'active',
  actor: 'a client',
  scopes: new Set(),
})
const person = (workspaceId: string): Caller => ({ ...program(workspaceId), memberId: 'a member' })
const partner = (workspaceId: string, subject: string): Caller => ({
  ...program(workspaceId),
  partner: { kid: 'a key', subject, allowedOrigins: [] },
})

const contextOf = (caller: Caller) => ({ var: { caller, meter: new Meter() } }) as unknown as AppContext

/** One read that takes the database this long. */
function read(caller: Caller, database: Far, ms: number): Promise<void> {
  const c = contextOf(caller)
  return expensiveRead(c, () => database.query(ms, c.var.meter))
}

/** Uses up the credit of a workspace, and so makes its next reads wait. */
function spend(caller: Caller, ms = READ_CREDIT_MS): Promise<void> {
  const c = contextOf(caller)
  return expensiveRead(c, async () => c.var.meter.add({ duration: ms }))
}

/** Clients that read again and again for a time, and what they saw. */
async function clients(count: number, caller: Caller, database: Far, ms: number, durationMs: number) {
  const times: number[] = []
  const errors: unknown[] = []
  const until = Date.now() + durationMs
  const client = async () => {
    while (Date.now() < until) {
      const asked = Date.now()
      await read(caller, database, ms).catch((error: unknown) => errors.push(error))
      times.push(Date.now() - asked)
    }
  }
  const all = Promise.all(Array.from({ length: count }, client))
  await pass(durationMs)
  return { all, times, errors, longest: Math.max(...times) }
}

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: unknown) => error as ApiError,
  )

describe('cheap reads of one workspace', () => {
  it.each([16, 64])('of %i clients go to a far database at once, and none waits for another', async (count) => {
    const one = await clients(1, program(), new Far(30), 1, 1000)
    const many = await clients(count, program(), new Far(30), 0.5, 1000)
    expect(many.errors).toEqual([])
    expect(many.times.length).toBeGreaterThan(0.75 * Math.min(count, 16) * one.times.length)
    // In the first round, when nothing is known of the workspace, seven go at a time.
    expect(many.longest).toBeLessThan((count / 7) * 2 * one.longest)
  })

  it('that wait share the time that the database gives them', async () => {
    const [caller, database] = [program(), new Far(30)]
    for (let n = 0; n < 20; n++) await spend(caller, 4)
    await spend(caller)
    const { times, errors } = await clients(30, caller, database, 4, 2000)
    expect(errors).toEqual([])
    expect(database.busyMs).toBeGreaterThan(0.8 * READ_SHARE * 2000)
    expect(database.busyMs).toBeLessThan(1.2 * READ_SHARE * 2000)
    expect(Math.max(...times)).toBeLessThan(1500)
  })
})

describe('reads of one workspace that take the database long', () => {
  it.each([
    // Several at once count by what others notice of them.
    { count: 8, distanceMs: 0, share: READ_SHARE / MOST_QUERY_WEIGHT },
    { count: 8, distanceMs: 30, share: READ_SHARE / MOST_QUERY_WEIGHT },
    { count: 1, distanceMs: 0, share: READ_SHARE },
  ])(
    'of $count clients leave their part of its time to others, $distanceMs ms away from the database',
    async (given) => {
      const { count, distanceMs, share } = given
      const [caller, database] = [program(), new Far(distanceMs)]
      await spend(caller)
      const { errors } = await clients(count, caller, database, 100, 10_000)
      expect(errors).toEqual([])
      expect(database.busyMs).toBeLessThan(share * 10_000 + 8 * 100)
      expect(database.busyMs).toBeGreaterThan(0.9 * share * 10_000)
    },
  )

  it('run one at a time once their cost is known', async () => {
    const caller = program()
    for (let n = 0; n < 10; n++) await spend(caller, READS_UNDER_WAY_MS)
    let [running, most] = [0, 0]
    for (let n = 0; n < 4; n++) {
      const c = contextOf(caller)
      void expensiveRead(c, async () => {
        most = Math.max(most, ++running)
        await sleep(200)
        running--
        c.var.meter.add({ duration: READS_UNDER_WAY_MS })
      })
    }
    await pass(5000)
    expect([running, most]).toEqual([0, 1])
  })

  it('one after another do not wait while the workspace has credit', async () => {
    const caller = program()
    const work = (async () => {
      for (let n = 0; n < 15; n++) await read(caller, new Far(), 100)
      return Date.now()
    })()
    const started = Date.now()
    await pass(2000)
    expect((await work) - started).toBe(1500)
  })

  it('are refused when they would wait too long, and told when to come again', async () => {
    const caller = program()
    await spend(caller, READ_CREDIT_MS + 20_000)
    const error = await failure(read(caller, new Far(), 1))
    expect(error).toBeInstanceOf(ApiError)
    expect([error.status, Number(error.headers()['Retry-After'])]).toEqual([429, Math.ceil(20 / READ_SHARE)])
    const other = expensiveRead(contextOf(program()), async () => 'another workspace')
    expect(await other).toBe('another workspace')
    await pass(Math.ceil(20_000 / READ_SHARE))
    expect(await expensiveRead(contextOf(caller), async () => 'later')).toBe('later')
  })

  it('count by their rows if the database tells no time', async () => {
    const c = contextOf(program())
    await expensiveRead(c, async () => c.var.meter.add({ rows_read: 60_000_000 }))
    expect((await failure(expensiveRead(c, async () => 1))).status).toBe(429)
  })

  it('wait instead of being refused if their answer is being sent', async () => {
    const c = contextOf(program())
    await spend(c.var.caller, READ_CREDIT_MS + 20_000)
    let isRead = false
    const portion = readsInTurn(c)(async () => {
      isRead = true
    })
    await pass(20_000 / READ_SHARE - 1000)
    expect(isRead).toBe(false)
    await pass(2000)
    await portion
    expect(isRead).toBe(true)
  })

  it('are paid for by the time that passes, also after the clock is set back', async () => {
    const c = contextOf(program())
    await spend(c.var.caller, READ_CREDIT_MS + 2000)
    vi.setSystemTime(Date.now() - 3_600_000)
    const later = expensiveRead(c, async () => 'read')
    await pass(2000 / READ_SHARE + 100)
    expect(await later).toBe('read')
  })

  it('give their place back when their clients have left', async () => {
    const caller = program()
    for (let n = 0; n < 2 * READS_UNDER_WAY_MS; n++) {
      void expensiveRead(contextOf(caller), () => new Promise(() => undefined))
    }
    await pass(20)
    vi.clearAllTimers()
    const later = expensiveRead(contextOf(caller), async () => 'read')
    await pass(3000)
    expect(await later).toBe('read')
  })
})

describe('callers of one workspace', () => {
  it.each([
    ['cheap', 4],
    ['heavy', 100],
  ])('are not kept waiting by 60 connections of a partner session with %s reads', async (_, ms) => {
    const workspaceId = newWorkspaceId()
    const database = new Far(30)
    await spend(partner(workspaceId, 'one session'))
    void clients(60, partner(workspaceId, 'one session'), database, ms, 1800)
    await pass(300)
    const staff = await clients(1, person(workspaceId), database, 2, 1500)
    expect(staff.errors).toEqual([])
    // At first the cost of the heavy reads is not known, and seven of them are started together.
    expect(staff.longest).toBeLessThan(1000)
    expect(staff.times.length).toBeGreaterThan(3)
  })

  it('take turns by their kind, and those of a kind by who they are', async () => {
    const workspaceId = newWorkspaceId()
    const order: string[] = []
    const ask = (name: string, caller: Caller) => {
      const c = contextOf(caller)
      return expensiveRead(c, async () => {
        order.push(name)
        c.var.meter.add({ duration: READS_UNDER_WAY_MS })
        await sleep(10)
      })
    }
    for (const caller of [partner(workspaceId, 'a'), person(workspaceId)]) {
      for (let n = 0; n < 10; n++) await spend(caller, READS_UNDER_WAY_MS)
    }
    for (let n = 0; n < 4; n++) void ask('a', partner(workspaceId, 'a'))
    for (let n = 0; n < 2; n++) void ask('b', partner(workspaceId, 'b'))
    for (let n = 0; n < 2; n++) void ask('person', person(workspaceId))
    await pass(5000)
    expect(order).toEqual(['a', 'person', 'b', 'person', 'a', 'b', 'a', 'a'])
  })
})
