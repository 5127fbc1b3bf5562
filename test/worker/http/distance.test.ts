import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { delayedBy, withDelay } from '../../../scripts/local/bindings.mjs'

it('a delay before a database takes its time there and back, and varies by a fifth', async () => {
  vi.useFakeTimers()
  for (const [random, ms] of [
    [0, 24],
    [0.5, 30],
    [1, 36],
  ] as const) {
    const done = vi.fn()
    void delayedBy(30, () => random)(async () => 'result').then(done)
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(done).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toHaveBeenCalledWith('result')
  }
})

it('a database with trips makes one for each call, and answers as it does', async () => {
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
