interface Entry<T> {
  value: T
  /** Milliseconds since the epoch. */
  readAt: number
}

/** What this isolate read a short time ago, such as credentials. A new entry replaces the oldest one of a full cache. */
export class TimedCache<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #lifetimeMs: number
  readonly #capacity: number

  /**
   * @param lifetimeMs milliseconds for which an entry may be relied on
   * @param capacity number of entries
   */
  constructor(lifetimeMs: number, capacity: number) {
    this.#lifetimeMs = lifetimeMs
    this.#capacity = capacity
  }

  get(key: string, now: Date): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const age = now.getTime() - entry.readAt
    if (age >= 0 && age < this.#lifetimeMs) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  /** @param readAt when the read began: `value` may lack changes that came later */
  set(key: string, value: T, readAt: Date): void {
    // A Map keeps the order of insertion. Deleting a renewed entry first moves it to the end.
    this.#entries.delete(key)
    if (this.#entries.size >= this.#capacity) {
      const oldest = this.#entries.keys().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
    this.#entries.set(key, { value, readAt: readAt.getTime() })
  }

  forget(matches: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (matches(value)) this.#entries.delete(key)
    }
  }
}
