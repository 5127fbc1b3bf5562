import { LruMap } from '#shared/lru-map'

/** What this isolate read a short time ago, such as credentials. */
export class TimedCache<T> {
  /** Times in milliseconds since the epoch. */
  readonly #entries: LruMap<string, { value: T; readAt: number }>
  readonly #lifetimeMs: number

  /**
   * @param lifetimeMs milliseconds for which an entry may be relied on
   * @param capacity number of entries
   */
  constructor(lifetimeMs: number, capacity: number) {
    this.#lifetimeMs = lifetimeMs
    this.#entries = new LruMap(capacity)
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
    this.#entries.set(key, { value, readAt: readAt.getTime() })
  }

  forget(matches: (value: T) => boolean): void {
    this.#entries.forget(({ value }) => matches(value))
  }
}

/**
 * The value of a key, if there is one. Keys without a value have a cache of their own, so that made-up keys cannot
 * push out real ones.
 */
export class TimedLookup<T extends object> {
  readonly #values: TimedCache<T>
  readonly #missing: TimedCache<true>

  /** As for `TimedCache`; the capacity is that of each cache. */
  constructor(lifetimeMs: number, capacity: number) {
    this.#values = new TimedCache(lifetimeMs, capacity)
    this.#missing = new TimedCache(lifetimeMs, capacity)
  }

  async find(key: string, now: Date, read: () => Promise<T | null>): Promise<T | null> {
    const cached = this.#values.get(key, now)
    if (cached) return cached
    if (this.#missing.get(key, now)) return null
    const value = await read()
    if (value) this.#values.set(key, value, now)
    else this.#missing.set(key, true, now)
    return value
  }

  forget(matches: (value: T) => boolean): void {
    this.#values.forget(matches)
  }

  /** Forgets everything, also which keys have no value. */
  clear(): void {
    this.#values.forget(() => true)
    this.#missing.forget(() => true)
  }
}
