import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#errors'
import type { AppContext } from '#http/context'
import { expensiveRead, pacedRead } from '#http/expensive-reads'
import { EXPENSIVE_READS_AT_ONCE, MAX_ROWS_READ_PER_MINUTE } from '#limits'
import { Meter } from '#storage/meter'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

let workspaces = 0

/** A workspace whose reads take this long and read this many rows. */
function reader() {
  const workspaceId = `reader-${workspaces++}`
  const now = { running: 0, most: 0, done: 0 }
  const read = (ms: number, rows = 0) => {
    const meter = new Meter()
    const c = { var: { caller: { workspaceId }, meter } } as unknown as AppContext
    return expensiveRead(c, async () => {
      now.most = Math.max(now.most, ++now.running)
      await new Promise((resolve) => setTimeout(resolve, ms))
      meter.add({ rows_read: rows })
      now.running--
      now.done++
    })
  }
  return { now, read }
}

describe('expensive reads of a workspace', () => {
  it('run a few at a time, and leave the database to others in between', async () => {
    const { now, read } = reader()
    const all = Array.from({ length: 8 }, () => read(100))
    await pass(1000)
    expect(now.most).toBe(EXPENSIVE_READS_AT_ONCE)
    // Two at once without a pause would have done all eight within 400 ms.
    expect(now.done).toBeLessThanOrEqual(6)
    await pass(4000)
    await Promise.all(all)
    expect(now.done).toBe(8)
  })

  it('one after another do not wait', async () => {
    const { now, read } = reader()
    const work = (async () => {
      for (let n = 0; n < 5; n++) await read(100)
    })()
    await pass(550)
    await work
    expect(now.done).toBe(5)
  })

  it('that would wait too long are refused', async () => {
    const { read } = reader()
    for (let n = 0; n < EXPENSIVE_READS_AT_ONCE; n++) void read(20_000)
    const refused = read(1).catch((error: unknown) => error)
    await pass(11_000)
    const error = await refused
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBe(429)
    await pass(20_000)
  })

  it('are refused after too many rows until the minute is over; those of other workspaces are not', async () => {
    const { read } = reader()
    const first = read(1, MAX_ROWS_READ_PER_MINUTE)
    await pass(10)
    await first
    const error = (await read(1).catch((refusal: unknown) => refusal)) as ApiError
    expect([error.status, Number(error.headers()['Retry-After'])]).toEqual([429, 60])
    const other = reader().read(1)
    await pass(10)
    await other
    await pass(60_000)
    const later = read(1)
    await pass(10)
    await later
  })

  it('of an answer that is being sent wait instead of being refused', async () => {
    const workspaceId = 'sender'
    const c = { var: { caller: { workspaceId }, meter: new Meter() } } as unknown as AppContext
    await expensiveRead(c, async () => c.var.meter.add({ rows_read: MAX_ROWS_READ_PER_MINUTE }))
    await expect(expensiveRead(c, async () => 1)).rejects.toBeInstanceOf(ApiError)
    let read = false
    const portion = pacedRead(c)(async () => {
      read = true
    })
    await pass(55_000)
    expect(read).toBe(false)
    await pass(6000)
    await portion
    expect(read).toBe(true)
  })

  it('of an answer that is being sent outwait other reads', async () => {
    const { now, read } = reader()
    for (let n = 0; n < EXPENSIVE_READS_AT_ONCE; n++) void read(20_000)
    const c = {
      var: { caller: { workspaceId: `reader-${workspaces - 1}` }, meter: new Meter() },
    } as unknown as AppContext
    const portion = pacedRead(c)(async () => 'sent')
    await pass(30_000)
    expect(await portion).toBe('sent')
    expect(now.done).toBe(EXPENSIVE_READS_AT_ONCE)
  })
})
