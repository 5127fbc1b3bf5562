import { ApiError } from '#shared/errors/errors'
import { REQUEST_DEADLINE_MS } from '#shared/limits'
import { withinTime } from '#worker/storage/deadline'

/** Milliseconds after which a lease has ended, even if its request still runs. */
const LONGEST_LEASE_MS = REQUEST_DEADLINE_MS + 1000

/** Requests of one owner that wait at a time. More are refused at once. */
export const MOST_WAITING = 100

/**
 * Milliseconds within which a request must go on when its turn has come. If the platform has ended it, it does not, and
 * the next one gets the lease.
 */
const CLAIMED_WITHIN_MS = 2000

/** How often a request that waits looks for leases that have ended by themselves, in milliseconds. */
const LOOKS_EVERY_MS = 2000

/** Seconds after which a refused request may come again. */
const RETRY_AFTER = '5'

/** A part of what requests share. It ends by itself, because the platform can end a request that holds it. */
export class Lease {
  readonly line: Line
  units: number
  endsAt: number
  readonly #latestEnd: number
  /** Cool-down: released from the limit of all, still counted against the share of its owner. */
  isResting = false
  /** Frees what the lease stands for. May run during another request, so it must only drop references. */
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

  /** @param ms milliseconds from now after which it ends; it never lasts longer than `LONGEST_LEASE_MS` */
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

/** What one owner holds, and its requests that wait, in the order in which they came. */
interface Line {
  held: number
  units: number
  waiters: Waiter[]
}

interface QueueLimits {
  /** Units that all leases take together. */
  total: number
  /** Units that the leases of one owner take together. */
  share: number
  /** What too many of wait, in the words of the refusal. */
  of: string
}

export interface TakeOptions {
  /** The most milliseconds to wait; by default as long as a request lasts. */
  waitMs?: number
  /** Whether it may wait although `MOST_WAITING` do. */
  alwaysWaits?: boolean
}

/**
 * What the requests of an isolate share: slots, bytes of memory. The requests of an owner get their leases in the order
 * in which they come, and owners take turns. A request that waits does nothing until then: who makes room hands it on.
 */
export class LeaseQueue {
  readonly #limits: QueueLimits
  /** By owner; the one whose last turn is the longest ago comes first. */
  readonly #lines = new Map<string, Line>()
  readonly #leases = new Set<Lease>()
  #units = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a lease, whose units count against the share of its owner.
   *
   * @param units how many, asked when it is the request's turn; more than the share count as the share
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

  /** Gives leases to those whose turn it is, while there is room. A line that gets one comes last again. */
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
      // Nobody overtakes one who needs more room: small ones would take it for ever.
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
