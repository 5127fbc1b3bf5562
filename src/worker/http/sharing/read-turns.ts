import type { Caller } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import { LONGEST_STREAM_MS } from '#shared/limits'
import { LruMap } from '#shared/lru-map'
import type { AppContext } from '#worker/http/context'
import type { ReadInTurn } from '#worker/storage/database'
import { LeasePool, NoRoomError } from './lease-pool'

/**
 * Reads that may look at a whole catalog: searches, exports, dry runs, history. A database answers one query at a time
 * for all of its workspaces. So one workspace must neither fill the queue nor take all the time. What counts is the
 * time of the database. The way there costs nobody anything, so many cheap reads run at once, however far it is.
 */

/** Milliseconds for which a further read waits before it is refused. */
const EXPENSIVE_READ_WAITS_MS = 10_000

/**
 * Part of a database's time that the searches, exports, dry runs, pages of history and long lists of one workspace may
 * take in one isolate with short queries. With long queries it is smaller, by their weight: a query of another
 * workspace has to wait for the end of the one that is under way.
 */
export const READ_SHARE = 0.6

/**
 * Milliseconds of the database that these reads may take beyond that, after the workspace has read little for 5
 * seconds.
 */
export const READ_CREDIT_MS = 2000

/**
 * Milliseconds of the database that those of one workspace under way may take together, and that a query of another one
 * waits at most: two scans of a large catalog, or 150 searches while people type.
 */
export const READS_UNDER_WAY_MS = 150

/**
 * What the callers of one kind of one workspace take of its database, as this isolate sees it. Each kind has an
 * account, so that the users of a widget do not spend what the clinic's staff needs.
 */
interface Account {
  /** Time of the database that is not yet paid back, in milliseconds, weighted by what others notice of it. */
  owedMs: number
  /** When `owedMs` was computed, in milliseconds since the epoch. */
  at: number
  /** Usual cost of a read, in milliseconds: what the next one is expected to take. */
  usual: number
}

/** The most accounts that an isolate keeps. Others start from zero. */
const MAX_ACCOUNTS = 5000

/** Cost that is expected of the first read, in milliseconds, and the least that is expected of any. */
const FIRST_COST_MS = 20
const LEAST_COST_MS = 1
/** Weight of the newest read in the usual cost. */
const NEWEST_WEIGHT = 1 / 8

const accounts = new LruMap<string, Account>(MAX_ACCOUNTS)

/** Who counts as one caller in the turns of a workspace: its kind, then the caller within the kind. */
function turnTakerOf({ partner, memberId, actor }: Caller): [kind: string, ...string[]] {
  if (partner !== undefined) return ['partner', partner.kid, partner.subject]
  return memberId === undefined ? ['program', actor] : ['person', memberId]
}

function accountOf(caller: Caller): Account {
  const now = Date.now()
  const key = `${turnTakerOf(caller)[0]} ${caller.workspaceId}`
  const account = accounts.obtain(key, () => ({ owedMs: 0, at: now, usual: FIRST_COST_MS }))
  // A clock that is set back pays nothing back, and goes on from there.
  account.owedMs = Math.max(0, account.owedMs - READ_SHARE * Math.max(0, now - account.at))
  account.at = now
  return account
}

/** @returns milliseconds until callers of this kind may read again; 0 if they may now */
const msToWait = (caller: Caller): number => Math.max(0, accountOf(caller).owedMs - READ_CREDIT_MS) / READ_SHARE

function charge(caller: Caller, cost: number, noticedMs: number): void {
  const account = accountOf(caller)
  account.owedMs += noticedMs
  // A single very long read does not make the next ones wait for each other.
  account.usual += NEWEST_WEIGHT * (Math.min(cost, READS_UNDER_WAY_MS) - account.usual)
}

/** The expected cost of the reads that are under way. */
const reads = new LeasePool({ total: Number.POSITIVE_INFINITY, share: READS_UNDER_WAY_MS })

/** Runs a read when its turn comes. The lease ends by itself if the client leaves. */
async function runInTurn<T>(c: AppContext, waitMs: number, read: () => Promise<T>): Promise<T> {
  const { caller, meter } = c.var
  const expected = Math.max(LEAST_COST_MS, accountOf(caller).usual)
  const lease = await reads.take(expected, caller.workspaceId, {
    waitMs,
    within: turnTakerOf(caller),
    mayTake: () => msToWait(caller) === 0,
  })
  const { databaseMs, noticedMs } = meter
  try {
    return await read()
  } finally {
    const cost = meter.databaseMs - databaseMs
    // One client that reads one thing after another leaves room in between by itself.
    const isAlone = reads.countOf(caller.workspaceId) <= 1
    charge(caller, cost, isAlone ? cost : meter.noticedMs - noticedMs)
    lease.release()
  }
}

const tooManyReads = (ms: number): ApiError =>
  new ApiError(
    'rate_limited',
    'The searches, exports and other long reads of the workspace take too much time of its database. Try again later.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) } },
  )

/**
 * Runs a read that may look at many rows, when it is its turn among those of the caller's workspace.
 *
 * @throws ApiError 429 when it would have to wait too long
 */
export async function expensiveRead<T>(c: AppContext, read: () => Promise<T>): Promise<T> {
  const waitMs = msToWait(c.var.caller)
  if (waitMs > EXPENSIVE_READ_WAITS_MS) throw tooManyReads(waitMs)
  try {
    return await runInTurn(c, EXPENSIVE_READ_WAITS_MS, read)
  } catch (error) {
    throw error instanceof NoRoomError ? tooManyReads(msToWait(c.var.caller)) : error
  }
}

/**
 * Runs the reads of an answer that is already being sent, each in its turn. They wait as long as it takes: a refusal
 * would break the connection and could not say when to come again.
 */
export const readsInTurn =
  (c: AppContext): ReadInTurn =>
  (read) =>
    runInTurn(c, LONGEST_STREAM_MS, read)
