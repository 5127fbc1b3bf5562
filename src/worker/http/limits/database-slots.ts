import { LRUCache } from 'lru-cache'
import type { Caller } from '#shared/access/caller'
import { LARGE_BODY_BYTES, LONGEST_STREAM_MS } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import type { WithSlot } from '#worker/storage/database'
import { type Lease, LeaseQueue, type TakeOptions } from './lease-queue'

/**
 * Limits reads and writes that may scan a whole catalog. A database runs one query at a time for all of its workspaces,
 * so one workspace must neither fill its queue nor use all of its time. The limit is on the database's time: the
 * network costs no one anything, so many cheap reads run at the same time, however far away the database is.
 *
 * A fixed number of simultaneous reads does not work: sixteen users who type, 30 ms away, need six; but next to six
 * reads of 100 ms, a neighbor's read takes 150 times as long as alone.
 */

/**
 * Most expected query time in flight per database, in milliseconds: a query without a slot waits at most this long.
 */
const READS_UNDER_WAY_MS = 300

/** The share of one workspace and kind of caller: two scans of a large catalog, or 150 searches while users type. */
export const SHARE_UNDER_WAY_MS = READS_UNDER_WAY_MS / 2

/**
 * The pause after a read, as a multiple of its duration. The multiple grows with the duration, because others wait for
 * the end of the read. Short reads then use 60% of a database's time, long ones 15%.
 */
const LEAST_PAUSE = 0.65
const MOST_PAUSE = 6
/** Milliseconds of a read that add 1 to this multiple. */
const PAUSE_STEP_MS = 8

/** Longest pause after a read or a write, in milliseconds. */
const LONGEST_PAUSE_MS = 20_000

/** Milliseconds for which a read and a write wait before they are rejected. */
const READ_WAITS_MS = 10_000
const WRITE_WAITS_MS = 20_000

/** Expected cost of the first read, and the least expected cost of any read, in milliseconds. */
const FIRST_COST_MS = 20
const LEAST_COST_MS = 1
/** Weight of the newest read in the moving average of the cost. */
const NEWEST_WEIGHT = 1 / 8

/** Average database time of a read, by workspace and kind of caller, in milliseconds. */
const usualCosts = new LRUCache<string, number>({ max: 5000 })

const reads = new Map<string, LeaseQueue>()

/** Streaming responses of one line share a single slot: one of them reads a page at a time. */
const streamReads = new LeaseQueue({ total: Number.POSITIVE_INFINITY, share: 1, of: 'exports' })

/** Writes of whole catalogs: one per workspace at a time, because its database cannot do more anyway. */
const writes = new LeaseQueue({ total: Number.POSITIVE_INFINITY, share: 1, of: 'restores and reconciles' })

function queueOf(binding: string): LeaseQueue {
  const limits = { total: READS_UNDER_WAY_MS, share: SHARE_UNDER_WAY_MS, of: 'searches, exports and other long reads' }
  const queue = reads.get(binding) ?? new LeaseQueue(limits)
  reads.set(binding, queue)
  return queue
}

/** Each kind of caller waits in its own line, so that a partner's widget does not lock out the staff. */
function lineOf({ workspaceId, partner, memberId }: Caller): string {
  const kind = partner !== undefined ? 'partner' : memberId === undefined ? 'program' : 'person'
  return `${kind} ${workspaceId}`
}

/** The pause after this many milliseconds of database time. */
const pauseAfter = (ms: number): number => ms * Math.min(MOST_PAUSE, Math.max(LEAST_PAUSE, ms / PAUSE_STEP_MS))

/** Releases a slot after a cool-down, in which other lines may use its room. */
function freeSlot(c: AppContext, lease: Lease, pauseMs: number): void {
  const ms = Math.min(LONGEST_PAUSE_MS, pauseMs)
  if (ms < 1) {
    lease.release()
    return
  }
  lease.rest(ms)
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, ms)
  c.executionCtx.waitUntil(promise.then(lease.release))
}

/** @param pauses whether to pause if others in the line are waiting */
async function withLineSlot<T>(
  c: AppContext,
  wait: TakeOptions,
  read: () => Promise<T>,
  pauses: boolean,
  line = lineOf(c.var.caller),
): Promise<T> {
  const { caller, meter } = c.var
  const usual = () => usualCosts.get(line) ?? FIRST_COST_MS
  const lease = await queueOf(caller.databaseBinding).take(line, () => Math.max(LEAST_COST_MS, usual()), wait)
  const before = meter.databaseMs
  try {
    return await read()
  } finally {
    const ms = meter.databaseMs - before
    // Capped, so that a single very long read does not make the next ones wait for each other.
    usualCosts.set(line, usual() + NEWEST_WEIGHT * (Math.min(ms, SHARE_UNDER_WAY_MS) - usual()))
    const { held, waiters } = lease.line
    const hasOthers = held + waiters.length > 1
    freeSlot(c, lease, pauses && hasOthers ? held * pauseAfter(ms) : 0)
  }
}

/**
 * Runs a read that may scan many rows, once it has one of the slots of the caller's workspace.
 *
 * @throws ApiError 429
 */
export const withDatabaseSlot = <T>(c: AppContext, read: () => Promise<T>): Promise<T> =>
  withLineSlot(c, { waitMs: READ_WAITS_MS }, read, true)

/**
 * Runs the reads of a request with a body of this size, each as `withDatabaseSlot` does. A large body has the slot of
 * large bodies, for which the rest of the isolate waits. So it has its own line, and does not wait for searches of its
 * workspace and the pauses after them.
 */
export function fileSlots(c: AppContext, bytes: number): WithSlot {
  const { caller } = c.var
  const line = bytes > LARGE_BODY_BYTES ? `file ${caller.workspaceId}` : lineOf(caller)
  return (read) => withLineSlot(c, { waitMs: READ_WAITS_MS }, read, true, line)
}

/**
 * Runs the reads of a streaming response, each with its own slot. They wait as long as it takes, because an error would
 * break the connection and could not say when to retry. No pause follows: all streaming responses of a line together
 * use no more of the database than a single one.
 */
export function streamSlots(c: AppContext): WithSlot {
  const wait = { waitMs: LONGEST_STREAM_MS, alwaysWaits: true }
  return async (read) => {
    const lease = await streamReads.take(lineOf(c.var.caller), () => 1, wait)
    try {
      return await withLineSlot(c, wait, read, false)
    } finally {
      lease.release()
    }
  }
}

/**
 * Runs a write that may affect a whole catalog, once it has the slot of its workspace. A pause always follows, because
 * a write blocks the database.
 *
 * @throws ApiError 429 if it would have to wait too long
 */
export async function withWriteSlot<T>(c: AppContext, write: () => Promise<T>): Promise<T> {
  const { caller, meter } = c.var
  const lease = await writes.take(caller.workspaceId, () => 1, { waitMs: WRITE_WAITS_MS })
  const before = meter.databaseMs
  try {
    return await write()
  } finally {
    freeSlot(c, lease, pauseAfter(meter.databaseMs - before))
  }
}

/**
 * Runs a write with a body of this size, as `withWriteSlot` does. A large body already has the slot of large bodies, so
 * it is the only one in the isolate and waits for nothing else.
 */
export const withFileWriteSlot = <T>(c: AppContext, bytes: number, write: () => Promise<T>): Promise<T> =>
  bytes > LARGE_BODY_BYTES ? write() : withWriteSlot(c, write)
