/** A lease is renewed this often, and ends after this time without a renewal. In milliseconds. */
export const RENEWED_EVERY_MS = 250
const ENDS_AFTER_MS = 2000

/** The pool that a lease is a part of. */
interface LeaseHolder {
  /** Milliseconds of its clock. */
  now(): number
  forget(lease: Lease): void
}

/** A part of a pool that a request holds. */
export class Lease {
  readonly owner: string
  units: number
  renewedAt: number
  readonly takenAt: number
  /** Milliseconds without a renewal after which the lease has ended. */
  patience = ENDS_AFTER_MS
  #pool: LeaseHolder | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #whenEnded: (() => void) | undefined

  constructor(pool: LeaseHolder, owner: string, units: number, now: number) {
    this.owner = owner
    this.units = units
    this.takenAt = now
    this.renewedAt = now
    this.#pool = pool
    this.#timer = setInterval(() => this.renew(), RENEWED_EVERY_MS)
  }

  get ended(): boolean {
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

/** The leases of one request. Other requests may wait for them, so all of them end before the answer is sent. */
export class RequestLeases {
  readonly #leases = new Set<Lease>()
  #memory: Lease | undefined
  #closed = false

  /** A lease that comes after the deadline ends at once. */
  add(lease: Lease): Lease {
    if (this.#closed) lease.release()
    else this.#leases.add(lease)
    return lease
  }

  addMemory(lease: Lease): Lease {
    this.#memory = this.add(lease)
    return lease
  }

  /** Takes over the memory of the body for an answer that is made of it while it is sent. */
  takeMemory(): Lease | undefined {
    const memory = this.#memory
    this.#memory = undefined
    if (memory !== undefined) this.#leases.delete(memory)
    return memory?.ended === false ? memory : undefined
  }

  /** Bytes of the body that others may wait for; 0 when there are none. */
  get memoryBytes(): number {
    return this.#memory?.ended === false ? this.#memory.units : 0
  }

  /** Sets how many bytes of the body, or of what replaces it, stay in memory. */
  settleMemory(bytes: number): void {
    this.#memory?.settle(bytes)
  }

  releaseAll(): void {
    this.#closed = true
    for (const lease of this.#leases) lease.release()
    this.#leases.clear()
  }
}
