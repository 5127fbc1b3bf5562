import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Completion } from '#worker/http/sharing/completion'
import { type Lease, LeasePool, NoRoomError } from '#worker/http/sharing/lease-pool'
import { RequestLeases } from '#worker/http/sharing/request-leases'

beforeEach(() => void vi.useFakeTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Whether a promise is settled; updated when it settles. */
function watch<T>(promise: Promise<T>) {
  const state: { done: boolean; value?: T; error?: unknown } = { done: false }
  promise.then(
    (value) => Object.assign(state, { done: true, value }),
    (error) => Object.assign(state, { done: true, error }),
  )
  return state
}

const poolOf = (total: number, share = total) => new LeasePool({ total, share })

/** A pool for one request, which has it, and the next one, which waits. */
async function waiting() {
  const pool = poolOf(1)
  const lease = await pool.take(1, 'a')
  return { lease, next: watch(pool.take(1, 'b')) }
}

/** Simulates a request whose client has left: its timers stop. */
function abandon(lease: Lease): void {
  lease.renew = () => undefined
}

describe('a pool', () => {
  it('admits requests that fit and makes the others wait in order', async () => {
    const pool = poolOf(100)
    const [a, b] = [watch(pool.take(60, 'a')), watch(pool.take(40, 'b'))]
    const [c, d] = [watch(pool.take(50, 'c')), watch(pool.take(1, 'd'))]
    await pass(20)
    expect([a, b, c, d].map(({ done }) => done)).toEqual([true, true, false, false])
    b.value!.release()
    await pass(100)
    // 40 are free: too few for the next waiter, and the smaller one after it does not overtake.
    expect([c, d].map(({ done }) => done)).toEqual([false, false])
    a.value!.release()
    await pass(100)
    expect([c, d].map(({ done }) => done)).toEqual([true, true])
  })

  it('takes units back only once', async () => {
    const pool = poolOf(100)
    const lease = await pool.take(100, 'a')
    lease.release()
    lease.release()
    await pool.take(100, 'a')
    const more = watch(pool.take(1, 'b'))
    await pass(1000)
    expect(more.done).toBe(false)
  })

  it('gives one owner no more than a share, and others the rest', async () => {
    const pool = poolOf(100, 50)
    await pool.take(50, 'greedy')
    const second = watch(pool.take(50, 'greedy'))
    const other = watch(pool.take(50, 'other'))
    await pass(1000)
    expect([second, other].map(({ done }) => done)).toEqual([false, true])
  })

  it('gives a large request of an owner its turn before the small ones that came later', async () => {
    const pool = poolOf(100, 50)
    const small = [await pool.take(20, 'a'), await pool.take(20, 'a')]
    const large = watch(pool.take(40, 'a'))
    await pass(100)
    const later = watch(pool.take(10, 'a'))
    await pass(1000)
    expect([large, later].map(({ done }) => done)).toEqual([false, false])
    for (const lease of small) lease.release()
    await pass(100)
    expect([large, later].map(({ done }) => done)).toEqual([true, true])
  })

  it('counts a request for more than a share as the share', async () => {
    const pool = poolOf(100, 50)
    expect((await pool.take(1000, 'a')).units).toBe(50)
  })

  it('lets owners take turns, even if one of them has many requests', async () => {
    const pool = poolOf(1)
    const order: string[] = []
    const work = async (owner: string) => {
      const lease = await pool.take(1, owner)
      order.push(owner)
      await new Promise((resolve) => setTimeout(resolve, 100))
      lease.release()
    }
    for (let n = 0; n < 6; n++) void work('many')
    await pass(10)
    for (let n = 0; n < 2; n++) void work('few')
    await pass(3000)
    expect(order).toEqual(['many', 'few', 'many', 'few', 'many', 'many', 'many', 'many'])
  })

  it('refuses when there is no room within the time given', async () => {
    const pool = poolOf(1)
    await pool.take(1, 'a')
    const second = watch(pool.take(1, 'b', { waitMs: 500 }))
    await pass(600)
    expect(second.error).toBeInstanceOf(NoRoomError)
    const third = watch(pool.take(1, 'c'))
    await pass(100)
    expect(third.done).toBe(false)
  })
})

describe('a lease', () => {
  it('lasts as long as the request that holds it', async () => {
    const { next } = await waiting()
    await pass(20_000)
    expect(next.done).toBe(false)
  })

  it('ends within seconds when the request is gone, and the next one takes it over', async () => {
    const { lease, next } = await waiting()
    abandon(lease)
    await pass(1500)
    expect(next.done).toBe(false)
    await pass(1000)
    expect(next.done).toBe(true)
  })

  it('ends after the longest time, even if the request renews it', async () => {
    const { next } = await waiting()
    await pass(29_000)
    expect(next.done).toBe(false)
    await pass(2000)
    expect(next.done).toBe(true)
  })

  it('outlasts a time in which the isolate was busy and no timer fired', async () => {
    const { next } = await waiting()
    await pass(100)
    vi.setSystemTime(Date.now() + 10_000)
    await pass(1000)
    expect(next.done).toBe(false)
  })

  it('of a waiter that has left is not waited for', async () => {
    const pool = poolOf(1)
    const first = await pool.take(1, 'a')
    const gone = watch(pool.take(1, 'gone'))
    await pass(20)
    // The timers of the second waiter stop; only the third one still checks.
    vi.clearAllTimers()
    const third = watch(pool.take(1, 'c'))
    await pass(1500)
    first.release()
    await pass(1500)
    expect([gone, third].map(({ done }) => done)).toEqual([false, true])
  })

  it('that depends on renewals ends after some time without one, and reports it', async () => {
    const { lease, next } = await waiting()
    const ended = vi.fn()
    lease.dependOnRenewals(3000, ended)
    await pass(2500)
    lease.renew()
    await pass(2500)
    expect([next.done, ended.mock.calls.length]).toEqual([false, 0])
    await pass(1000)
    expect([next.done, ended.mock.calls.length]).toEqual([true, 1])
  })
})

it('a lease of units leaves others what it does not need once it settles for less', async () => {
  const pool = poolOf(100)
  const lease = await pool.take(100, 'a')
  lease.settle(30)
  const other = watch(pool.take(70, 'b'))
  await pass(20)
  expect(other.done).toBe(true)
})

describe('the leases of a request', () => {
  it('end together, and a later lease ends at once', async () => {
    const pool = poolOf(2)
    const leases = new RequestLeases()
    const first = leases.add(await pool.take(1, 'a'))
    leases.releaseAll()
    const second = leases.add(await pool.take(1, 'a'))
    expect([first.hasEnded, second.hasEnded]).toEqual([true, true])
  })

  it('leave the memory to an answer that is made of it', async () => {
    const pool = poolOf(1)
    const leases = new RequestLeases()
    const memory = leases.addMemory(await pool.take(1, 'a'))
    expect(leases.takeMemory()).toBe(memory)
    leases.releaseAll()
    expect([memory.hasEnded, leases.takeMemory()]).toEqual([false, undefined])
  })
})

describe('the completion of a request', () => {
  it('runs its tasks once, last added first', () => {
    const ran: number[] = []
    const completion = new Completion()
    for (const n of [1, 2, 3]) completion.add(() => ran.push(n))
    completion.run()
    completion.run()
    expect(ran).toEqual([3, 2, 1])
  })

  it('runs a task that comes too late at once', () => {
    const ran: string[] = []
    const completion = new Completion()
    completion.run()
    completion.add(() => ran.push('late'))
    expect(ran).toEqual(['late'])
  })
})
