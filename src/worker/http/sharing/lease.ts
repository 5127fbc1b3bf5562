/** A lease is renewed this often, and ends after this time without a renewal. In milliseconds. */
export const RENEWED_EVERY_MS = 250
const ENDS_AFTER_MS = 2000

/** The pool that a lease is a part of. */
interface LeaseHolder {
  /** Milliseconds of its clock. */
  now(): number
  resume(lease: Lease, waitMs: number): Promise<void>
  forget(lease: Lease): void
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
  #pool: LeaseHolder | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #whenEnded: (() => void) | undefined

  constructor(pool: LeaseHolder, owner: string, units: number, now: number) {
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
