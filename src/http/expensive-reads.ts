import { ApiError } from '#errors'
import {
  EXPENSIVE_READ_WAITS_MS,
  EXPENSIVE_READS_AT_ONCE,
  LONGEST_LEASE_MS,
  MAX_ROWS_READ_PER_MINUTE,
} from '#limits'
import type { AppContext } from './context'
import { LeasePool, NoRoomError } from './lease-pool'

/**
 * Reads that may look at a whole catalog: searches, exports, dry runs. A database answers one query at a time for all
 * of its workspaces. So one workspace must neither fill the queue nor take all the time.
 */

/** For this isolate: a few reads of each workspace at the same time. */
const reads = new LeasePool({
  total: Number.POSITIVE_INFINITY,
  share: EXPENSIVE_READS_AT_ONCE,
  longestMs: LONGEST_LEASE_MS,
})

/**
 * After a read had to wait for others of its workspace, it pauses for this many times their duration, so that other
 * workspaces get the database.
 */
const PAUSE_FACTOR = 4
const LONGEST_PAUSE_MS = 2000
/** Reads as short as this need no pause, in milliseconds. */
const SHORT_READ_MS = 5

/** Number of workspaces that are remembered. Others start from zero. */
const REMEMBERED = 2000
const MINUTE_MS = 60_000

interface Use {
  /** Start of the minute that is counted, in milliseconds since the epoch. */
  since: number
  rows: number
  lastMs: number
}

const uses = new Map<string, Use>()

function usageOf(workspaceId: string, now: number): Use {
  let use = uses.get(workspaceId)
  if (use === undefined) {
    if (uses.size >= REMEMBERED) uses.clear()
    use = { since: now, rows: 0, lastMs: 0 }
    uses.set(workspaceId, use)
  }
  if (now - use.since >= MINUTE_MS) Object.assign(use, { since: now, rows: 0 })
  return use
}

const tooMany = (message: string, seconds: number): ApiError =>
  new ApiError('rate_limited', message, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
  })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs a read that may look at many rows, when its turn comes among the reads of the caller's workspace.
 *
 * @throws ApiError 429 when the workspace has read too many rows within a minute, or has too many such reads waiting
 */
export async function expensiveRead<T>(c: AppContext, run: () => Promise<T>): Promise<T> {
  const { workspaceId } = c.var.caller
  const asked = Date.now()
  const use = usageOf(workspaceId, asked)
  if (use.rows >= MAX_ROWS_READ_PER_MINUTE) {
    const seconds = (use.since + MINUTE_MS - asked) / 1000
    throw tooMany(
      'The workspace has read too much of its catalogs within a minute. Try again later.',
      seconds,
    )
  }
  const lease = await reads.take(1, workspaceId, EXPENSIVE_READ_WAITS_MS).catch((error: unknown) => {
    if (!(error instanceof NoRoomError)) throw error
    throw tooMany('The workspace has too many searches and exports at once. Try again later.', 1)
  })
  const rowsBefore = c.var.meter.rowsRead
  try {
    // A waiter checks every five milliseconds.
    const waited = Date.now() - asked > 3
    if (waited && use.lastMs > SHORT_READ_MS) {
      await pause(Math.min(LONGEST_PAUSE_MS, PAUSE_FACTOR * (use.lastMs - SHORT_READ_MS)))
    }
    const started = Date.now()
    try {
      return await run()
    } finally {
      use.lastMs = Date.now() - started
      use.rows += c.var.meter.rowsRead - rowsBefore
    }
  } finally {
    lease.release()
  }
}
