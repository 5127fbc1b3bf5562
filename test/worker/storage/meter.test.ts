import { beforeEach, expect, it, vi } from 'vitest'
import { Meter } from '#worker/storage/meter'

beforeEach(() => void vi.useFakeTimers())

async function afterFault(message: string): Promise<number> {
  const meter = new Meter()
  const fault = meter
    .roundTrip(1, async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      throw new Error(message)
    })
    .catch(() => undefined)
  await vi.advanceTimersByTimeAsync(300)
  await fault
  return meter.databaseMs
}

it('counts the time of a batch that the database refuses, and not that of a database out of reach', async () => {
  expect(await afterFault("D1_ERROR: bad JSON path: 'shrink_guard:9:9': SQLITE_ERROR")).toBe(300)
  expect(await afterFault('D1_ERROR: Network connection lost')).toBe(0)
})
