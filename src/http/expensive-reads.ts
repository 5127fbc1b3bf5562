import { ApiError } from '#errors'
import {
  EXPENSIVE_READ_WAITS_MS,
  EXPENSIVE_READS_AT_ONCE,
  LONGEST_LEASE_MS,
  LONGEST_STREAM_MS,
  MAX_ROWS_READ_PER_MINUTE,
} from '#limits'
import type { AppContext } from './context'
import { LeasePool, NoRoomError } from './lease-pool'

/**
 * Reads that may look at a whole catalog: searches, exports, dry runs, history. A database answers one query at a time
 * for all of its workspaces. So one workspace must neither fill the queue nor take all the time.
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

/** @returns milliseconds until the workspace may read again; 0 where it may now */
function untilNextMinute(workspaceId: string): number {
  const now = Date.now()
  const { rows, since } = usageOf(workspaceId, now)
  return rows < MAX_ROWS_READ_PER_MINUTE ? 0 : since + MINUTE_MS - now
}

/** Runs a read with a lease, after a pause where others of its workspace were before it. */
async function runInTurn<T>(c: AppContext, waitMs: number, run: () => Promise<T>): Promise<T> {
  const { workspaceId } = c.var.caller
  const asked = Date.now()
  const lease = await reads.take(1, workspaceId, waitMs)
  const rowsBefore = c.var.meter.rowsRead
  const use = usageOf(workspaceId, asked)
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

/**
 * Runs a read that may look at many rows, when it is its turn among those of the caller's workspace.
 *
 * @throws ApiError 429 when the workspace has read too many rows within a minute, or has too many such reads waiting
 */
export async function expensiveRead<T>(c: AppContext, run: () => Promise<T>): Promise<T> {
  const waitMs = untilNextMinute(c.var.caller.workspaceId)
  if (waitMs > 0) {
    throw tooMany(
      'The workspace has read too much of its catalogs within a minute. Try again later.',
      waitMs / 1000,
    )
  }
  try {
    return await runInTurn(c, EXPENSIVE_READ_WAITS_MS, run)
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error
    throw tooMany('The workspace has too many searches and exports at once. Try again later.', 1)
  }
}

/** Runs one of the reads of an answer that is already being sent. */
export type Paced = <T>(read: () => Promise<T>) => Promise<T>

/**
 * Runs the reads of an answer that is already being sent, each in its turn. They wait as long as it takes: a refusal would
 * break the connection and could not say when to come again.
 */
export const pacedRead =
  (c: AppContext): Paced =>
  async (run) => {
    const waitMs = untilNextMinute(c.var.caller.workspaceId)
    if (waitMs > 0) await pause(waitMs)
    return runInTurn(c, LONGEST_STREAM_MS, run)
  }
