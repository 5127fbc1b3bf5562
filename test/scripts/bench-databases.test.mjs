import { expect, it } from 'vitest'
import { OneAtATime } from '../../bench/one-at-a-time.mjs'

/** Keeps the processor busy, as a query of SQLite does. */
function compute(ms) {
  const { user, system } = process.cpuUsage()
  const until = (user + system) / 1000 + ms
  for (;;) {
    const { user, system } = process.cpuUsage()
    if ((user + system) / 1000 >= until) return
  }
}

it('a database of the benchmark answers one query at a time, in the order in which they came', async () => {
  const turns = new OneAtATime()
  turns.takeAtLeast(30)
  const started = performance.now()
  const answered = []
  const query = async (name) => {
    answered.push(await turns.run(() => name))
    return performance.now() - started
  }
  const times = await Promise.all(['first', 'second', 'third'].map(query))
  expect(answered).toEqual(['first', 'second', 'third'])
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(30 * (index + 1) - 3)
})

it('the usage of a database tells the waiting of its queries from their CPU time', async () => {
  const turns = new OneAtATime()
  turns.takeAtLeast(100)
  await Promise.all([turns.run(() => compute(20)), turns.run(() => undefined)])
  const { turns: count, busyMs, cpuMs } = turns.usage
  expect(count).toBe(2)
  expect(busyMs).toBeGreaterThanOrEqual(195)
  expect(cpuMs).toBeGreaterThanOrEqual(20)
  expect(cpuMs).toBeLessThan(100)
})

it('a query that fails takes its turn, and the next one is answered', async () => {
  const turns = new OneAtATime()
  const failed = turns.run(() => {
    throw new Error('no such table')
  })
  await expect(failed).rejects.toThrow('no such table')
  await expect(turns.run(() => 'found')).resolves.toBe('found')
  expect(turns.usage.turns).toBe(2)
})
