import { LRUCache } from 'lru-cache'
import type { Caller } from '#shared/access/caller'
import { LARGE_BODY_BYTES, LONGEST_STREAM_MS } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import type { WithSlot } from '#worker/storage/database'
import { type Lease, LeaseQueue, type TakeOptions } from './lease-queue'

/**
 * Reads and writes that may look at a whole catalog. A database answers one query at a time for all of its workspaces.
 * So one workspace must neither fill its queue nor take all of its time. What counts is the time of the database: the
 * way there costs nobody anything, so many cheap reads run at once, however far it is.
 *
 * A fixed number of reads at once was tried and left out. Sixteen people who type need six, 30 ms away; beside six
 * reads of 100 ms, one of a neighbour takes 150 times as long as alone.
 */

/**
 * The most expected query time in flight per database, in milliseconds: a query that needs no slot waits for so long at
 * most.
 */
const READS_UNDER_WAY_MS = 300

/** The part of one workspace and kind of caller: two scans of a large catalog, or 150 searches while people type. */
export const SHARE_UNDER_WAY_MS = READS_UNDER_WAY_MS / 2

/**
 * The pause after a read, as a multiple of its time: more for a long one, because others wait for its end. Short reads
 * then take 60 % of the time of a database, long ones 15 %.
 */
const LEAST_PAUSE = 0.65
const MOST_PAUSE = 6
/** Milliseconds of a read that add 1 to this multiple. */
const PAUSE_STEP_MS = 8

/** Longest pause after a read or a write, in milliseconds. */
const LONGEST_PAUSE_MS = 20_000

/** Milliseconds for which a read and a write wait before they are refused. */
const READ_WAITS_MS = 10_000
const WRITE_WAITS_MS = 20_000

/** Cost that is expected of the first read, in milliseconds, and the least that is expected of any. */
const FIRST_COST_MS = 20
const LEAST_COST_MS = 1
/** Weight of the newest read in the usual cost. */
const NEWEST_WEIGHT = 1 / 8

/** What a read of a workspace and a kind of caller usually takes its database, in milliseconds. */
const usualCosts = new LRUCache<string, number>({ max: 5000 })

const reads = new Map<string, LeaseQueue>()

/** Streaming responses of one line read one page at a time between them. */
const streamReads = new LeaseQueue({ total: Number.POSITIVE_INFINITY, share: 1, of: 'exports' })

/** Writes of whole catalogs: one of a workspace at a time, because its database does no more anyway. */
const writes = new LeaseQueue({ total: Number.POSITIVE_INFINITY, share: 1, of: 'restores and reconciles' })

function queueOf(binding: string): LeaseQueue {
  const limits = { total: READS_UNDER_WAY_MS, share: SHARE_UNDER_WAY_MS, of: 'searches, exports and other long reads' }
  const queue = reads.get(binding) ?? new LeaseQueue(limits)
  reads.set(binding, queue)
  return queue
}

/** The callers of each kind wait in a line of their own, so that a partner's widget does not lock out the staff. */
function lineOf({ workspaceId, partner, memberId }: Caller): string {
  const kind = partner !== undefined ? 'partner' : memberId === undefined ? 'program' : 'person'
  return `${kind} ${workspaceId}`
}

/** The pause after so many milliseconds of a database. */
const pauseAfter = (ms: number): number => ms * Math.min(MOST_PAUSE, Math.max(LEAST_PAUSE, ms / PAUSE_STEP_MS))

/** Frees a slot after a pause, in which the lease leaves its room to other lines. */
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

/** @param pauses whether a pause follows, if others of the line are there */
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
    // A single very long read does not make the next ones wait for each other.
    usualCosts.set(line, usual() + NEWEST_WEIGHT * (Math.min(ms, SHARE_UNDER_WAY_MS) - usual()))
    const { held, waiters } = lease.line
    const hasOthers = held + waiters.length > 1
    freeSlot(c, lease, pauses && hasOthers ? held * pauseAfter(ms) : 0)
  }
}

/**
 * Runs a read that may look at many rows, once it has a slot among those of the caller's workspace.
 *
 * @throws ApiError 429
 */
export const withDatabaseSlot = <T>(c: AppContext, read: () => Promise<T>): Promise<T> =>
  withLineSlot(c, { waitMs: READ_WAITS_MS }, read, true)

/**
 * Runs the reads of a request that has a body of this size, each as `withDatabaseSlot` does. A large one holds the slot
 * of large bodies, for which others of the isolate wait: it has a line of its own, so that it does not wait for the
 * searches of its workspace and the pauses after them.
 */
export function fileSlots(c: AppContext, bytes: number): WithSlot {
  const { caller } = c.var
  const line = bytes > LARGE_BODY_BYTES ? `file ${caller.workspaceId}` : lineOf(caller)
  return (read) => withLineSlot(c, { waitMs: READ_WAITS_MS }, read, true, line)
}

/**
 * Runs the reads of an answer that is already being sent, each in a slot of its own. They wait as long as it takes: a
 * refusal would break the connection and could not say when to come again. No pause follows: the answers of a line take
 * no more of the database together than one that is sent alone.
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
 * Runs a write that may touch a whole catalog, once it has the slot of its workspace. A pause follows, also if no other
 * one waits: a database does nothing else during a write.
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
 * Runs a write with a body of this size, as `withWriteSlot` does. A large one has the slot of large bodies, so it is
 * the only one of the isolate, and waits for nothing else.
 */
export const withFileWriteSlot = <T>(c: AppContext, bytes: number, write: () => Promise<T>): Promise<T> =>
  bytes > LARGE_BODY_BYTES ? write() : withWriteSlot(c, write)
