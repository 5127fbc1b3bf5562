import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#shared/errors/errors'
import { Completion } from '#worker/http/completion'
import { Lease, LeaseQueue, MOST_WAITING } from '#worker/http/limits/lease-queue'
import { RequestLeases } from '#worker/http/limits/request-leases'

beforeEach(() => void vi.useFakeTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A request for a lease, and its outcome. */
function request(queue: LeaseQueue, owner: string, units = 1, options = {}) {
  const state: { lease?: Lease; error?: unknown } = {}
  queue
    .take(owner, () => units, options)
    .then(
      (lease) => Object.assign(state, { lease }),
      (error: unknown) => Object.assign(state, { error }),
    )
  return state
}

const hasLease = (requests: { lease?: Lease }[]): boolean[] => requests.map(({ lease }) => lease !== undefined)

const queueOf = (total: number, share = total) => new LeaseQueue({ total, share, of: 'tests' })
const take = (queue: LeaseQueue, owner: string, units = 1) => queue.take(owner, () => units)

/** A queue with one request that has a lease, and one that waits. */
async function waiting() {
  const queue = queueOf(1)
  const lease = await take(queue, 'a')
  return { lease, next: request(queue, 'b', 1, { waitMs: 60_000 }) }
}

describe('a queue', () => {
  it('admits requests in their order', async () => {
    const queue = queueOf(100)
    const [a, b] = [request(queue, 'a', 60), request(queue, 'b', 40)]
    const [c, d] = [request(queue, 'c', 50), request(queue, 'd', 1)]
    await pass(0)
    expect(hasLease([a, b, c, d])).toEqual([true, true, false, false])
    b.lease!.release()
    await pass(0)
    // 40 are free: too few for the next request, and the smaller one after it waits.
    expect(hasLease([c, d])).toEqual([false, false])
    a.lease!.release()
    await pass(0)
    expect(hasLease([c, d])).toEqual([true, true])
  })

  it('takes back units only once', async () => {
    const queue = queueOf(100)
    const lease = await take(queue, 'a', 100)
    lease.release()
    lease.release()
    await take(queue, 'a', 100)
    const more = request(queue, 'b')
    await pass(1000)
    expect(more.lease).toBeUndefined()
  })

  it('gives one owner at most a share, and others the rest', async () => {
    const queue = queueOf(100, 50)
    expect((await take(queue, 'greedy', 1000)).units).toBe(50)
    const [second, other] = [request(queue, 'greedy', 50), request(queue, 'other', 50)]
    await pass(1000)
    expect(hasLease([second, other])).toEqual([false, true])
  })

  it('alternates between owners, and serves the requests of each in their order', async () => {
    const queue = queueOf(1)
    const order: string[] = []
    const work = async (owner: string, name: string) => {
      const lease = await take(queue, owner)
      order.push(name)
      await new Promise((resolve) => setTimeout(resolve, 100))
      lease.release()
    }
    for (const n of [1, 2, 3, 4]) void work('many', `many ${n}`)
    await pass(10)
    for (const n of [1, 2]) void work('few', `few ${n}`)
    await pass(3000)
    expect(order).toEqual(['many 1', 'many 2', 'few 1', 'many 3', 'few 2', 'many 4'])
  })

  it('rejects immediately if too many requests of the same workspace wait', async () => {
    const queue = queueOf(1)
    await take(queue, 'a')
    const waiters = Array.from({ length: MOST_WAITING }, () => request(queue, 'a'))
    const [refused, other, sending] = [
      request(queue, 'a'),
      request(queue, 'b'),
      request(queue, 'a', 1, { alwaysWaits: true }),
    ]
    await pass(0)
    expect(refused.error).toBeInstanceOf(ApiError)
    const { status, headers } = refused.error as ApiError
    expect([status, Number(headers.call(refused.error)['Retry-After'])]).toEqual([429, 5])
    expect([...waiters, other, sending].filter(({ error }) => error !== undefined)).toEqual([])
  })

  it('rejects if there is no room within the given time, and reserves no room for the request', async () => {
    const queue = queueOf(1)
    const first = await take(queue, 'a')
    const [second, third] = [request(queue, 'b', 1, { waitMs: 500 }), request(queue, 'c')]
    await pass(600)
    expect([(second.error as ApiError).status, third.lease]).toEqual([429, undefined])
    first.release()
    await pass(0)
    expect(hasLease([third])).toEqual([true])
  })
})

describe('a lease', () => {
  it('ends after the maximum time, and the next request gets it', async () => {
    const { lease, next } = await waiting()
    await pass(20_000)
    lease.renew()
    await pass(9000)
    expect(next.lease).toBeUndefined()
    await pass(3000)
    expect(next.lease).toBeDefined()
  })

  it('of a request that the platform ended while it waited passes to the next one', async () => {
    const queue = queueOf(1)
    const first = await take(queue, 'a')
    // An ended request runs no code, so it gets a lease without noticing.
    void queue.take('gone', () => 1)
    vi.spyOn(Lease.prototype, 'renew').mockImplementationOnce(() => undefined)
    const next = request(queue, 'next')
    first.release()
    await pass(1500)
    expect(hasLease([next])).toEqual([false])
    await pass(2500)
    expect(hasLease([next])).toEqual([true])
  })

  it('that is renewed for a short time ends after it, and reports that', async () => {
    const { lease, next } = await waiting()
    const ended = vi.fn()
    lease.whenEnded = ended
    lease.renew(3000)
    await pass(2500)
    lease.renew(3000)
    await pass(2500)
    expect([next.lease, ended.mock.calls.length]).toEqual([undefined, 0])
    await pass(2500)
    expect([next.lease !== undefined, ended.mock.calls.length]).toEqual([true, 1])
  })

  it('leaves unneeded room to others once it becomes smaller', async () => {
    const queue = queueOf(100)
    const lease = await take(queue, 'a', 100)
    lease.resize(30)
    const other = request(queue, 'b', 70)
    await pass(0)
    expect(hasLease([other])).toEqual([true])
  })

  it("keeps its owner's share while it rests, and leaves its room to others", async () => {
    const queue = queueOf(1)
    const lease = await take(queue, 'a')
    const [same, other] = [request(queue, 'a'), request(queue, 'b')]
    lease.rest(1000)
    await pass(0)
    expect(hasLease([same, other])).toEqual([false, true])
    other.lease!.release()
    lease.release()
    await pass(0)
    expect(hasLease([same])).toEqual([true])
  })
})

describe('the leases of a request', () => {
  it('end together, and a later lease ends immediately', async () => {
    const queue = queueOf(2)
    const leases = new RequestLeases()
    const first = leases.add(await take(queue, 'a'))
    leases.releaseAll()
    const second = leases.add(await take(queue, 'a'))
    expect([first.hasEnded, second.hasEnded]).toEqual([true, true])
  })

  it('leave the memory to a response that is made of it', async () => {
    const leases = new RequestLeases()
    const memory = leases.add(await take(queueOf(1), 'a'))
    leases.memory = memory
    expect(leases.takeMemory()).toBe(memory)
    leases.releaseAll()
    expect([memory.hasEnded, leases.takeMemory()]).toEqual([false, undefined])
  })
})

it('the completion of a request runs each of its tasks once, last added first', () => {
  const ran: number[] = []
  const completion = new Completion()
  for (const n of [1, 2, 3]) completion.add(() => ran.push(n))
  completion.run()
  completion.run()
  completion.add(() => ran.push(4))
  expect(ran).toEqual([3, 2, 1, 4])
})
