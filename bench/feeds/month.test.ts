import { afterEach, expect, it, vi } from 'vitest'
import { type AfterRun, feed } from '../../test/support/feeds'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/**
 * A month of one write a second makes 2,592,000 writes of each feed. Here one write stands for 2,880: as many fewer bytes of
 * history and kept writes are allowed, so that they fill after the same part of the month.
 */
const FEWER = 2880
const QUOTA_BYTES = 500_000_000

it('a month of eight feeds ends with bounded tables, every write accepted, and no more rows read per write', async () => {
  const runs = await feed({
    workspaces: 8,
    records: 40,
    runs: 12,
    writes: 75,
    historyBytes: QUOTA_BYTES / FEWER,
    keptWrites: 8,
  })
  const lines = runs.map((run, n) => ({ run: n + 1, ...run }))
  for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`)
  const most = (name: keyof AfterRun, part: AfterRun[]) => Math.max(...part.map((run) => run[name]))
  expect(most('refused', runs)).toBe(0)
  for (const name of ['uploads', 'versions', 'words', 'rowsRead'] as const) {
    expect(most(name, runs.slice(8)), name).toBeLessThanOrEqual(1.1 * most(name, runs.slice(5, 8)))
  }
})
