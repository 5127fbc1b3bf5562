import { describe, expect, it } from 'vitest'
import { ByteBudget } from '#http/byte-budget'
import { Completion } from '#http/completion'
import { Mutex } from '#http/mutex'

/** Lets everything run that is not waiting for something. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

/** Whether a promise is settled, kept up to date. */
function watch<T>(promise: Promise<T>) {
  const state: { done: boolean; value?: T } = { done: false }
  promise.then((value) => Object.assign(state, { done: true, value }))
  return state
}

describe('a budget of bytes', () => {
  it('lets through what fits and makes the rest wait in order', async () => {
    const budget = new ByteBudget(100)
    const [a, b] = [watch(budget.reserve(60)), watch(budget.reserve(40))]
    const [c, d, e] = [watch(budget.reserve(50)), watch(budget.reserve(1)), watch(budget.reserve(60))]
    await settle()
    expect([a, b, c, d, e].map(({ done }) => done)).toEqual([true, true, false, false, false])
    b.value!()
    await settle()
    // 40 are free: too few for the next in line, who is not overtaken by the smaller one behind.
    expect([c, d, e].map(({ done }) => done)).toEqual([false, false, false])
    a.value!()
    await settle()
    expect([c, d, e].map(({ done }) => done)).toEqual([true, true, false])
    c.value!()
    await settle()
    expect(e.done).toBe(true)
  })

  it('takes bytes back once, however often they are given back', async () => {
    const budget = new ByteBudget(100)
    const release = await budget.reserve(100)
    release()
    release()
    await budget.reserve(100)
    const more = watch(budget.reserve(1))
    await settle()
    expect(more.done).toBe(false)
  })

  it('lets a request for more than there is have everything', async () => {
    const budget = new ByteBudget(10)
    const release = await budget.reserve(1000)
    const next = watch(budget.reserve(1))
    await settle()
    expect(next.done).toBe(false)
    release()
    await settle()
    expect(next.done).toBe(true)
  })
})

describe('taking turns', () => {
  it('lets one through at a time, in order', async () => {
    const turns = new Mutex()
    const taken = [1, 2, 3].map(() => watch(turns.take()))
    for (let n = 0; n < 3; n++) {
      await settle()
      expect(taken.map(({ done }) => done)).toEqual([0, 1, 2].map((i) => i <= n))
      taken[n]!.value!()
      taken[n]!.value!()
    }
  })

  it('lets the next one through at once when nobody has the turn', async () => {
    const turns = new Mutex()
    ;(await turns.take())()
    const next = watch(turns.take())
    await settle()
    expect(next.done).toBe(true)
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
