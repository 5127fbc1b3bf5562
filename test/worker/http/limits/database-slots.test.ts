import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '#shared/access/caller'
import type { ApiError } from '#shared/errors/errors'
import type { AppContext } from '#worker/http/context'
import { SHARE_UNDER_WAY_MS, streamSlots, withDatabaseSlot, withWriteSlot } from '#worker/http/limits/database-slots'
import { MOST_WAITING } from '#worker/http/limits/lease-queue'
import { Meter } from '#worker/storage/meter'

beforeEach(() => void vi.useFakeTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A database that runs one query at a time, with a latency of some milliseconds. */
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
  // Running calls of a test continue after its end.
  databaseBinding: workspaceId,
  state: 'active',
  actor: 'a client',
  scopes: new Set(),
})
const person = (workspaceId: string): Caller => ({ ...program(workspaceId), memberId: 'a member' })
const partner = (workspaceId: string, subject: string): Caller => ({
  ...program(workspaceId),
  partner: { kid: 'a key', subject, allowedOrigins: [] },
})

const contextOf = (caller: Caller) =>
  ({ var: { caller, meter: new Meter() }, executionCtx: { waitUntil: () => undefined } }) as unknown as AppContext

/** One read that needs this much time in the database. */
function read(caller: Caller, database: Far, ms: number): Promise<void> {
  const c = contextOf(caller)
  return withDatabaseSlot(c, () => database.query(ms, c.var.meter))
}

/** Records that reads of this kind of caller take this long. */
async function learn(caller: Caller, ms: number): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const c = contextOf(caller)
    await withDatabaseSlot(c, async () => c.var.meter.add({ duration: ms }))
  }
}

/** Clients that read in a loop for some time, and their results. */
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
  void Promise.all(Array.from({ length: count }, client))
  await pass(durationMs)
  return { times, errors, longest: Math.max(...times) }
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: unknown) => error as ApiError,
  )

describe('cheap reads of one workspace', () => {
  it('of many clients reach a distant database at the same time, without waiting for each other', async () => {
    const count = 32
    const one = await clients(1, program(), new Far(30), 1, 500)
    const many = await clients(count, program(), new Far(30), 0.5, 500)
    expect(many.errors).toEqual([])
    expect(many.times.length).toBeGreaterThan(0.75 * Math.min(count, 16) * one.times.length)
    // In the first round, when nothing is known about the workspace, seven run at the same time.
    expect(many.longest).toBeLessThan((count / 7) * 2 * one.longest)
  })

  it('keep the queue of the database short, and all of them are served', async () => {
    const [caller, database] = [program(), new Far(30)]
    await learn(caller, 4)
    const many = clients(60, caller, database, 4, 1000)
    await pass(300)
    const neighbour = await clients(1, program(), database, 1, 500)
    const { times, errors } = await many
    expect([...errors, ...neighbour.errors]).toEqual([])
    expect(median(neighbour.times)).toBeLessThan(31 + 60)
    expect(database.busyMs).toBeGreaterThan(0.6 * 1000)
    expect(Math.max(...times)).toBeLessThan(900)
  })
})

describe('slow reads of one workspace', () => {
  it('of eight clients leave the database free most of the time', async () => {
    const [caller, database] = [program(), new Far(30)]
    await learn(caller, 100)
    const { errors } = await clients(8, caller, database, 100, 9000)
    expect(errors).toEqual([])
    expect(database.busyMs).toBeLessThan(0.2 * 9000)
    expect(database.busyMs).toBeGreaterThan(0.1 * 9000)
  })

  it('one after another do not wait', async () => {
    const caller = program()
    const work = (async () => {
      for (let n = 0; n < 30; n++) await read(caller, new Far(), 100)
      return Date.now()
    })()
    const started = Date.now()
    await pass(4000)
    expect((await work) - started).toBe(3000)
  })

  it('are rejected after ten seconds, but those of another workspace are not', async () => {
    const caller = program()
    await learn(caller, SHARE_UNDER_WAY_MS)
    void read(caller, new Far(), 20_000)
    const refused = failure(read(caller, new Far(), 1))
    await pass(9000)
    const other = read(program(), new Far(), 1)
    await pass(1500)
    await other
    const error = await refused
    expect([error.status, error.headers()['Retry-After']]).toEqual([429, '5'])
  })

  it('wait instead of being rejected while their response is being sent', async () => {
    const caller = program()
    await learn(caller, SHARE_UNDER_WAY_MS)
    void read(caller, new Far(), 15_000)
    let isRead = false
    const portion = streamSlots(contextOf(caller))(async () => {
      isRead = true
    })
    await pass(14_000)
    expect(isRead).toBe(false)
    await pass(20_000)
    await portion
    expect(isRead).toBe(true)
  })
})

describe('two streamed responses of one workspace', () => {
  it('take as long as one after the other, and let other requests in between', async () => {
    const [caller, database] = [program(), new Far()]
    let sent = 0
    const send = async () => {
      const c = contextOf(caller)
      const withSlot = streamSlots(c)
      for (let page = 0; page < 10; page++) await withSlot(() => database.query(1000, c.var.meter))
      sent++
    }
    void send()
    void send()
    await pass(10_000)
    const neighbour = await clients(1, program(), database, 1, 5000)
    await pass(5100)
    expect(sent).toBe(2)
    expect(neighbour.longest).toBeLessThan(1100)
  })
})

describe('callers of one workspace', () => {
  it('are not kept waiting by 60 connections of a partner session', async () => {
    const workspaceId = newWorkspaceId()
    const database = new Far(30)
    await learn(partner(workspaceId, 'one session'), 100)
    void clients(60, partner(workspaceId, 'one session'), database, 100, 1800)
    await pass(300)
    const staff = await clients(1, person(workspaceId), database, 2, 1500)
    expect(staff.errors).toEqual([])
    expect(staff.longest).toBeLessThan(500)
    expect(staff.times.length).toBeGreaterThan(3)
  })
})

describe('changes of whole catalogs', () => {
  /** Changes that keep the database busy, and are either rejected or not. */
  function change(workspaceId: string, database: Far, ms: number, isRefused = false): Promise<void> {
    const c = contextOf(program(workspaceId))
    return withWriteSlot(c, async () => {
      await database.query(ms, c.var.meter)
      if (isRefused) throw new Error('refused')
    })
  }

  it('run one at a time in a workspace, and those of several workspaces in parallel', async () => {
    const [workspaceId, database] = [newWorkspaceId(), new Far()]
    const order: string[] = []
    const work = (name: string, id: string) => change(id, database, 100).then(() => order.push(name))
    void work('first', workspaceId)
    void work('second', workspaceId)
    void work('other', newWorkspaceId())
    await pass(1000)
    expect(order).toEqual(['first', 'other', 'second'])
  })

  it.for([false, true])(
    'leave the database to others for six times as long as they took, rejected: %s',
    async (isRefused) => {
      const [workspaceId, database] = [newWorkspaceId(), new Far()]
      const readPages = async () => {
        for (let n = 0; n < 4; n++) await change(workspaceId, database, 100, isRefused).catch(() => undefined)
      }
      const clients = Promise.all(Array.from({ length: 3 }, readPages))
      await pass(2000)
      expect(database.busyMs).toBe(300)
      await pass(15_000)
      await clients
    },
  )

  it('of a single client also leave time for others', async () => {
    const [workspaceId, database] = [newWorkspaceId(), new Far()]
    const readPages = async () => {
      for (let n = 0; n < 4; n++) await change(workspaceId, database, 100)
    }
    void readPages()
    await pass(2000)
    expect(database.busyMs).toBe(300)
  })

  it('are rejected immediately if a hundred are queued', async () => {
    const [workspaceId, database] = [newWorkspaceId(), new Far()]
    const all = Array.from({ length: MOST_WAITING + 2 }, () => change(workspaceId, database, 100))
    expect((await failure(all.at(-1)!)).status).toBe(429)
  })
})
