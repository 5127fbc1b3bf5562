import { LRUCache } from 'lru-cache'

/** What this isolate read a short time ago. Give `start` when the read began: what was read may lack later changes. */
export const timedCache = <T extends NonNullable<unknown>>(lifetimeMs: number, capacity: number): LRUCache<string, T> =>
  // The library keeps an entry to the end of the last millisecond. No timer: one of a request must not serve others.
  new LRUCache({ max: capacity, ttl: lifetimeMs - 1, ttlResolution: 0, perf: { now: () => Date.now() } })

/**
 * The value of a key, if there is one. Keys without a value have a cache of their own, so that made-up keys cannot
 * push out real ones.
 */
export class TimedLookup<T extends object> {
  readonly #values: LRUCache<string, T>
  readonly #missing: LRUCache<string, true>

  /** As for `timedCache`; the capacity is that of each cache. */
  constructor(lifetimeMs: number, capacity: number) {
    this.#values = timedCache(lifetimeMs, capacity)
    this.#missing = timedCache(lifetimeMs, capacity)
  }

  /** @param now when the read begins, if one is needed */
  async find(key: string, now: Date, read: () => Promise<T | null>): Promise<T | null> {
    const cached = this.#values.get(key)
    if (cached !== undefined) return cached
    if (this.#missing.has(key)) return null
    const value = await read()
    const start = now.getTime()
    if (value === null) this.#missing.set(key, true, { start })
    else this.#values.set(key, value, { start })
    return value
  }

  forget(matches: (value: T) => boolean): void {
    for (const [key, value] of this.#values.entries()) if (matches(value)) this.#values.delete(key)
  }

  /** Forgets everything, also which keys have no value. */
  clear(): void {
    this.#values.clear()
    this.#missing.clear()
  }
}
