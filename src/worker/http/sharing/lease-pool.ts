import { LONGEST_LEASE_MS } from '#shared/limits'
import { LruMap } from '#shared/lru-map'

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

/** A part of a pool that a request holds. */
export class Lease {
  readonly owner: string
  units: number
  renewedAt: number
  readonly takenAt: number
  /** Milliseconds without a renewal after which the lease has ended. */
  patienceMs = ENDS_AFTER_MS
  #pool: LeasePool | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #whenEnded: (() => void) | undefined

  constructor(pool: LeasePool, owner: string, units: number, now: number) {
    this.owner = owner
    this.units = units
    this.takenAt = now
    this.renewedAt = now
    this.#pool = pool
    this.#timer = setInterval(() => this.renew(), RENEWED_EVERY_MS)
  }

  get hasEnded(): boolean {
    return this.#pool === undefined
  }

  renew(): void {
    if (this.#pool !== undefined) this.renewedAt = this.#pool.now()
  }

  /**
   * Changes the lease to exactly this many units, without waiting: fewer than were taken, or the size of a result that
   * already exists.
   */
  settle(units: number): void {
    this.units = units
  }

  /**
   * Stops the timer: from now on only calls of `renew` keep the lease alive.
   *
   * @param patienceMs milliseconds without a renewal after which others may take over what it holds
   * @param whenEnded frees what the lease stands for; may run during another request, so it must only drop references
   */
  dependOnRenewals(patienceMs: number, whenEnded: () => void): void {
    clearInterval(this.#timer)
    this.patienceMs = patienceMs
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

/** A waiter that has not checked for this long has left, in milliseconds. */
const WAITER_LEAVES_AFTER_MS = 1000

/**
 * How often waiters check, in milliseconds: a millisecond less often for each waiter before them, within these limits.
 */
const CHECKS_EVERY_MS = { first: 5, last: 200 } as const

/** Groups whose last turn is remembered while the pool is in use. */
const MAX_GROUPS = 10_000

/** Longest step of the clock of a pool, in milliseconds. */
const LONGEST_STEP_MS = RENEWED_EVERY_MS + CHECKS_EVERY_MS.last

interface PoolLimits {
  /** Units that all leases take together. */
  total: number
  /** Units that the leases of one owner take together. */
  share: number
}

/** Options of `take`. */
interface TakeOptions {
  /** The most milliseconds to wait; by default as long as the request lasts. */
  waitMs?: number
  /** Who of the owner asks, such as a kind of caller and one of that kind; they take turns too. */
  within?: readonly string[]
  /** Whether it may take anything at the moment; by default it may. */
  mayTake?: () => boolean
}

interface Waiter {
  owner: string
  units: number
  /** The owner, and who of it waits, from the largest group to the smallest. */
  groups: readonly Group[]
  mayTake: () => boolean
  checkedAt: number
}

/** Waiters that take turns with other groups. */
interface Group {
  /** Number of its last turn; 0 before the first one. */
  turn: number
}

/** Thrown when there is no room within the time that a waiter gave. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

const waitFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const waitingUnits = (waiters: readonly Waiter[]): number => waiters.reduce((sum, { units }) => sum + units, 0)

/** The group whose last turn was earlier comes first, then the waiter that came first. */
function precedes(a: Waiter, b: Waiter, cameFirst: boolean): boolean {
  for (const [level, { turn }] of a.groups.entries()) {
    const difference = turn - (b.groups[level]?.turn ?? 0)
    if (difference !== 0) return difference < 0
  }
  return cameFirst
}

/** The pool. Its owners take turns, and so do the groups of an owner. No owner gets more than its share. */
export class LeasePool {
  readonly #limits: PoolLimits
  readonly #leases = new Set<Lease>()
  readonly #queue: Waiter[] = []
  readonly #groups = new LruMap<string, Group>(MAX_GROUPS)
  #lastTurn = 0
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
   * @throws NoRoomError
   */
  async take(units: number, owner: string, options: TakeOptions = {}): Promise<Lease> {
    const waiter = this.#enqueue(owner, Math.min(units, this.#limits.share), options)
    const until = this.now() + (options.waitMs ?? Number.POSITIVE_INFINITY)
    try {
      while (!this.#admits(waiter)) {
        if (this.now() >= until) throw new NoRoomError('no room in the pool within the time given')
        const { first, last } = CHECKS_EVERY_MS
        await waitFor(Math.min(last, Math.max(first, this.#before(waiter).length)))
      }
    } finally {
      this.#dequeue(waiter)
    }
    this.#noteTurn(waiter)
    const lease = new Lease(this, owner, waiter.units, this.now())
    this.#leases.add(lease)
    return lease
  }

  /** How many leases an owner has, and how many it waits for. */
  countOf(owner: string): number {
    const now = this.now()
    this.#endLeases(now)
    this.#dropWaiters(now)
    return [...this.#leases, ...this.#queue].filter((each) => each.owner === owner).length
  }

  forget(lease: Lease): void {
    this.#leases.delete(lease)
  }

  #enqueue(owner: string, units: number, { within = [], mayTake = () => true }: TakeOptions): Waiter {
    const isIdle = this.#queue.length === 0 && this.#leases.size === 0
    if (isIdle) this.#groups.clear()
    const names = [owner, ...within]
    const groups = names.map((_, level) =>
      this.#groups.obtain(JSON.stringify(names.slice(0, level + 1)), () => ({ turn: 0 })),
    )
    const waiter = { owner, units, groups, mayTake, checkedAt: this.now() }
    this.#queue.push(waiter)
    return waiter
  }

  #dequeue(waiter: Waiter): void {
    const at = this.#queue.indexOf(waiter)
    if (at >= 0) this.#queue.splice(at, 1)
  }

  #noteTurn({ groups }: Waiter): void {
    this.#lastTurn++
    for (const group of groups) group.turn = this.#lastTurn
  }

  #admits(waiter: Waiter): boolean {
    const now = this.now()
    waiter.checkedAt = now
    // It was dropped as gone while the isolate was busy.
    if (!this.#queue.includes(waiter)) this.#queue.push(waiter)
    this.#endLeases(now)
    this.#dropWaiters(now)
    const used = this.#used()
    if (!this.#mayTake(waiter, used.owners)) return false
    // Those before it keep their room. A large one of the same owner keeps it until there is enough, because small
    // ones would take it for ever.
    const before = this.#before(waiter)
    const ofOwner = before.filter(({ owner, mayTake }) => owner === waiter.owner && mayTake())
    const takers = before.filter((other) => this.#mayTake(other, used.owners))
    const { total, share } = this.#limits
    return (
      used.total + waitingUnits(takers) + waiter.units <= total &&
      (used.owners.get(waiter.owner) ?? 0) + waitingUnits(ofOwner) + waiter.units <= share
    )
  }

  #mayTake({ owner, units, mayTake }: Waiter, owners: ReadonlyMap<string, number>): boolean {
    return (owners.get(owner) ?? 0) + units <= this.#limits.share && mayTake()
  }

  /** The waiters whose turn comes earlier. */
  #before(waiter: Waiter): Waiter[] {
    const at = this.#queue.indexOf(waiter)
    return this.#queue.filter((other, place) => other !== waiter && precedes(other, waiter, place < at))
  }

  #used(): { total: number; owners: Map<string, number> } {
    let total = 0
    const owners = new Map<string, number>()
    for (const lease of this.#leases) {
      total += lease.units
      owners.set(lease.owner, (owners.get(lease.owner) ?? 0) + lease.units)
    }
    return { total, owners }
  }

  #endLeases(now: number): void {
    for (const lease of this.#leases) {
      if (now - lease.renewedAt > lease.patienceMs || now - lease.takenAt > LONGEST_LEASE_MS) lease.release()
    }
  }

  #dropWaiters(now: number): void {
    for (const waiter of [...this.#queue]) {
      if (now - waiter.checkedAt > WAITER_LEAVES_AFTER_MS) this.#dequeue(waiter)
    }
  }
}
