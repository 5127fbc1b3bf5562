import { ApiError } from '#shared/errors/errors'
import { REQUEST_DEADLINE_MS } from '#shared/limits'
import { withinTime } from '#worker/storage/deadline'

/** Milliseconds after which a lease has ended, even if its request still runs. */
const LONGEST_LEASE_MS = REQUEST_DEADLINE_MS + 1000

/** Most waiting requests of one owner. Further ones are rejected immediately. */
export const MOST_WAITING = 100

/**
 * Milliseconds within which a request must continue once its turn has come. Otherwise the platform has ended it, and
 * the next one gets the lease.
 */
const CLAIMED_WITHIN_MS = 2000

/** Interval in which a waiting request checks for expired leases, in milliseconds. */
const LOOKS_EVERY_MS = 2000

/** Seconds after which a rejected request may be retried. */
const RETRY_AFTER = '5'

/** A lease on a shared resource. It expires on its own, because the platform can end a request that has it. */
export class Lease {
  readonly line: Line
  units: number
  endsAt: number
  readonly #latestEnd: number
  /** Cool-down: released from the limit of all, still counted against the share of its owner. */
  isResting = false
  /** Frees the resource. May run during another request, so it must only drop references. */
  whenEnded: (() => void) | undefined
  #queue: LeaseQueue | undefined

  constructor(queue: LeaseQueue, line: Line, units: number) {
    this.#queue = queue
    this.line = line
    this.units = units
    this.#latestEnd = Date.now() + LONGEST_LEASE_MS
    this.endsAt = Date.now() + CLAIMED_WITHIN_MS
  }

  get hasEnded(): boolean {
    return this.#queue === undefined
  }

  /** @param ms milliseconds from now until it expires, at most `LONGEST_LEASE_MS` after its start */
  renew(ms = LONGEST_LEASE_MS): void {
    this.endsAt = Math.min(Date.now() + ms, this.#latestEnd)
  }

  /** Changes the lease to exactly this many units, without waiting. */
  resize(units: number): void {
    this.#queue?.change(this, { units })
  }

  /** Begins a cool-down: frees the limit of all now, and the share of the owner after `ms` milliseconds. */
  rest(ms: number): void {
    this.renew(ms)
    this.#queue?.change(this, { isResting: true })
  }

  /** Ends the lease; further calls do nothing. */
  readonly release = (): void => {
    const queue = this.#queue
    this.#queue = undefined
    queue?.remove(this)
    this.whenEnded?.()
    this.whenEnded = undefined
  }
}

interface Waiter {
  units: () => number
  grant: (lease: Lease) => void
}

/** The units of one owner, and its waiting requests in the order of their arrival. */
interface Line {
  held: number
  units: number
  waiters: Waiter[]
}

interface QueueLimits {
  /** Most units of all leases together. */
  total: number
  /** Most units of one owner's leases together. */
  share: number
  /** What too many of are waiting, for the error message. */
  of: string
}

export interface TakeOptions {
  /** Most milliseconds to wait; by default, the deadline of a request. */
  waitMs?: number
  /** Whether it may wait although `MOST_WAITING` do. */
  alwaysWaits?: boolean
}

/**
 * A fair semaphore for resources that an isolate's requests share: slots, bytes of memory. The requests of one owner
 * get leases in the order of their arrival, and owners take turns. Waiting requests do not poll: a request that makes
 * room grants the next leases.
 */
export class LeaseQueue {
  readonly #limits: QueueLimits
  /** By owner, least recently served first. */
  readonly #lines = new Map<string, Line>()
  readonly #leases = new Set<Lease>()
  #units = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a lease. Its units count against its owner's share.
   *
   * @param units returns the number of units when it is the request's turn; more than the share count as the share
   * @throws ApiError 429 if too many wait, or if it has waited for too long
   */
  async take(owner: string, units: () => number, options: TakeOptions = {}): Promise<Lease> {
    const { waitMs = REQUEST_DEADLINE_MS, alwaysWaits = false } = options
    const line = this.#lines.get(owner) ?? { held: 0, units: 0, waiters: [] }
    if (line.waiters.length >= MOST_WAITING && !alwaysWaits) throw this.#refusal()
    const { promise, resolve } = Promise.withResolvers<Lease>()
    const waiter = { units, grant: resolve }
    line.waiters.push(waiter)
    this.#lines.set(owner, line)
    this.#grant()
    const until = Date.now() + waitMs
    while (line.waiters.includes(waiter)) {
      const leftMs = until - Date.now()
      if (leftMs <= 0) {
        line.waiters.splice(line.waiters.indexOf(waiter), 1)
        throw this.#refusal()
      }
      await withinTime<unknown>(promise, Math.min(LOOKS_EVERY_MS, leftMs), () => this.#endLeases())
    }
    const lease = await promise
    lease.renew()
    return lease
  }

  change(lease: Lease, to: Partial<Pick<Lease, 'units' | 'isResting'>>): void {
    this.#count(lease, -1)
    Object.assign(lease, to)
    this.#count(lease, 1)
    this.#grant()
  }

  remove(lease: Lease): void {
    this.#leases.delete(lease)
    this.#count(lease, -1)
    this.#grant()
  }

  #refusal(): ApiError {
    const message = `Too many ${this.#limits.of} of the workspace are queued. Nothing was written. Try again later.`
    return new ApiError('rate_limited', message, { headers: { 'Retry-After': RETRY_AFTER } })
  }

  #count({ line, units, isResting }: Lease, sign: 1 | -1): void {
    line.held += sign
    line.units += sign * units
    if (!isResting) this.#units += sign * units
  }

  /** Grants leases in turn while there is room. An owner that gets one moves to the end. */
  #grant(): void {
    const { total, share } = this.#limits
    for (const [owner, line] of this.#lines) {
      const [waiter] = line.waiters
      if (waiter === undefined) {
        if (line.held === 0) this.#lines.delete(owner)
        continue
      }
      const units = Math.min(waiter.units(), share)
      if (line.units + units > share) continue
      // No one overtakes a request that needs more room, or small ones would block it forever.
      if (this.#units + units > total) return
      line.waiters.shift()
      this.#lines.delete(owner)
      this.#lines.set(owner, line)
      const lease = new Lease(this, line, units)
      this.#leases.add(lease)
      this.#count(lease, 1)
      waiter.grant(lease)
    }
  }

  #endLeases(): void {
    const now = Date.now()
    for (const lease of this.#leases) if (lease.endsAt <= now) lease.release()
  }
}
