/**
 * A limited resource of an isolate that its requests share: turns, bytes of memory.
 *
 * A request holds its part as a lease, which ends by itself. When a client leaves, workerd drops the request: its
 * code does not continue and its timers do not fire, so it cannot give anything back. Therefore the request keeps its
 * lease alive with a timer, and each waiter checks with its own timer whether there is room.
 */

/** A lease is renewed this often, and ends after this time without a renewal. In milliseconds. */
const RENEWED_EVERY_MS = 250
const ENDS_AFTER_MS = 2000

/** A waiter that has not checked for this long has left, in milliseconds. */
const WAITER_LEAVES_AFTER_MS = 1000

/** How often waiters check, in milliseconds. The first of the queue checks more often. */
const FIRST_CHECKS_EVERY_MS = 5
const OTHERS_CHECK_EVERY_MS = 50

/** A receiver counts as active for this long after its last progress, in milliseconds. */
const ACTIVE_MS = 1000

/** Longest step of the clock of a pool, in milliseconds. */
const LONGEST_STEP_MS = RENEWED_EVERY_MS + OTHERS_CHECK_EVERY_MS

interface PoolLimits {
  /** Units that all leases take together. */
  total: number
  /** Units that the leases of one owner take together. */
  share: number
  /** Milliseconds after which a lease ends even if it is renewed. */
  longestMs: number
}

interface Waiter {
  owner: string
  units: number
  /** Order of admission: owners take turns, see `LeasePool.#enqueue`. */
  start: number
  checkedAt: number
}

/** A part of a pool that a request holds. */
export class Lease {
  readonly owner: string
  /** Units in use. */
  held: number
  /** Units that will be in use soon, while the request makes progress. */
  promised: number
  renewed: number
  progressed: number
  readonly taken: number
  /** Milliseconds without a renewal after which the lease has ended. */
  patience = ENDS_AFTER_MS
  #pool: LeasePool | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #whenEnded: (() => void) | undefined

  constructor(pool: LeasePool, owner: string, units: number, now: number) {
    this.owner = owner
    this.held = units
    this.promised = units
    this.taken = now
    this.renewed = now
    this.progressed = now
    this.#pool = pool
    this.#timer = setInterval(() => this.renew(), RENEWED_EVERY_MS)
  }

  get ended(): boolean {
    return this.#pool === undefined
  }

  renew(): void {
    if (this.#pool !== undefined) this.renewed = this.#pool.now()
  }

  /**
   * While a request makes no progress, only the units in use count. Its promised units are free for others.
   *
   * @param held units in use now
   * @throws when the lease has ended, or when there is no room within `waitMs`
   */
  async progress(held: number, waitMs: number): Promise<void> {
    const pool = this.#pool
    if (pool === undefined) return
    this.held = held
    await pool.resume(this, waitMs)
  }

  /**
   * Changes the lease to exactly this many units, without waiting: fewer than promised, or the size of a result that
   * already exists.
   */
  settle(units: number): void {
    this.held = units
    this.promised = units
  }

  /**
   * Stops the timer: from now on only calls of `renew` keep the lease alive.
   *
   * @param patienceMs milliseconds without a renewal after which others may take over what it holds
   * @param whenEnded frees what the lease stands for; may run during another request, so it must only drop references
   */
  dependOnRenewals(patienceMs: number, whenEnded: () => void): void {
    clearInterval(this.#timer)
    this.patience = patienceMs
    this.#whenEnded = whenEnded
    this.renew()
  }

  /** Ends the lease; further calls do nothing. */
  readonly release = (): void => {
    if (this.#pool === undefined) return
    clearInterval(this.#timer)
    this.#pool.forget(this)
    this.#pool = undefined
    const whenEnded = this.#whenEnded
    this.#whenEnded = undefined
    whenEnded?.()
  }
}

/** Thrown when there is no room within the time that a waiter gave. */
export class NoRoomError extends Error {
  constructor() {
    super('no room in the pool within the time given')
    this.name = 'NoRoomError'
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The pool. Its owners take turns, and none gets more than its share. */
export class LeasePool {
  readonly #limits: PoolLimits
  readonly #leases = new Set<Lease>()
  readonly #queue: Waiter[] = []
  /** The place of the last admitted waiter, and the place of the next waiter of each owner. */
  #admitted = 0
  readonly #nextStart = new Map<string, number>()
  #clock = 0
  #lastSeen = Date.now()

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /**
   * A clock that stops while nobody asks it. No timer fires while an isolate works without a pause. That time counts
   * as one step, so that no lease or waiter ends because of it.
   */
  now(): number {
    const now = Date.now()
    this.#clock += Math.min(Math.max(0, now - this.#lastSeen), LONGEST_STEP_MS)
    this.#lastSeen = now
    return this.#clock
  }

  /**
   * Waits for room. Owners take turns, so that one with many requests does not block the others.
   *
   * @param units to take; more than the share counts as the share
   * @param owner the units count against the share of this owner
   * @param waitMs the most milliseconds to wait; by default as long as the request lasts
   * @throws NoRoomError
   */
  async take(units: number, owner: string, waitMs = Number.POSITIVE_INFINITY): Promise<Lease> {
    const waiter = this.#enqueue(owner, Math.min(units, this.#limits.share))
    const until = this.now() + waitMs
    try {
      while (!this.#admits(waiter)) {
        if (this.now() >= until) throw new NoRoomError()
        await pause(this.#next() === waiter ? FIRST_CHECKS_EVERY_MS : OTHERS_CHECK_EVERY_MS)
      }
      this.#admitted = Math.max(this.#admitted, waiter.start)
    } finally {
      this.#dequeue(waiter)
    }
    const lease = new Lease(this, owner, waiter.units, this.now())
    this.#leases.add(lease)
    return lease
  }

  /** Waits until there is room again for the promised units of a lease that had stopped. */
  async resume(lease: Lease, waitMs: number): Promise<void> {
    const until = this.now() + waitMs
    for (;;) {
      const others = this.#used(lease)
      if (this.#isActive(lease) || others.total + lease.promised <= this.#limits.total) break
      if (this.now() >= until) throw new NoRoomError()
      await pause(FIRST_CHECKS_EVERY_MS)
    }
    lease.progressed = this.now()
  }

  forget(lease: Lease): void {
    this.#leases.delete(lease)
  }

  #enqueue(owner: string, units: number): Waiter {
    const start = Math.max(this.#admitted, this.#nextStart.get(owner) ?? 0)
    this.#nextStart.set(owner, start + 1)
    const waiter = { owner, units, start, checkedAt: this.now() }
    this.#queue.push(waiter)
    return waiter
  }

  #dequeue(waiter: Waiter): void {
    const at = this.#queue.indexOf(waiter)
    if (at >= 0) this.#queue.splice(at, 1)
    for (const [owner, start] of this.#nextStart) {
      if (start <= this.#admitted) this.#nextStart.delete(owner)
    }
  }

  #admits(waiter: Waiter): boolean {
    const now = this.now()
    waiter.checkedAt = now
    // It was dropped as gone while the isolate was busy.
    if (!this.#queue.includes(waiter)) this.#queue.push(waiter)
    this.#endLeases(now)
    this.#dropWaiters(now)
    return this.#next() === waiter && this.#used().total + waiter.units <= this.#limits.total
  }

  /** The first waiter in the order whose owner has some of its share left. */
  #next(): Waiter | undefined {
    const { owners } = this.#used()
    let next: Waiter | undefined
    for (const waiter of this.#queue) {
      if ((owners.get(waiter.owner) ?? 0) + waiter.units > this.#limits.share) continue
      if (next === undefined || waiter.start < next.start) next = waiter
    }
    return next
  }

  #isActive({ progressed, held, promised }: Lease): boolean {
    return held >= promised || this.#clock - progressed < ACTIVE_MS
  }

  #used(except?: Lease): { total: number; owners: Map<string, number> } {
    let total = 0
    const owners = new Map<string, number>()
    for (const lease of this.#leases) {
      if (lease === except) continue
      const units = this.#isActive(lease) ? Math.max(lease.held, lease.promised) : lease.held
      total += units
      owners.set(lease.owner, (owners.get(lease.owner) ?? 0) + units)
    }
    return { total, owners }
  }

  #endLeases(now: number): void {
    for (const lease of this.#leases) {
      if (now - lease.renewed > lease.patience || now - lease.taken > this.#limits.longestMs) lease.release()
    }
  }

  #dropWaiters(now: number): void {
    for (const waiter of [...this.#queue]) {
      if (now - waiter.checkedAt > WAITER_LEAVES_AFTER_MS) this.#dequeue(waiter)
    }
  }
}
