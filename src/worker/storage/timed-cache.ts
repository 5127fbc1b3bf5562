import { LRUCache } from 'lru-cache'

/** A cache of recent reads. Set `start` to the time at which the read began, because it may lack later changes. */
export const timedCache = <T extends NonNullable<unknown>>(lifetimeMs: number, capacity: number): LRUCache<string, T> =>
  // An entry expires after its `ttl`, not at it: hence -1. `ttlResolution: 0`, because a timer belongs to one request.
  new LRUCache({ max: capacity, ttl: lifetimeMs - 1, ttlResolution: 0, perf: { now: () => Date.now() } })

const lookups: { forget(ids: readonly string[]): void }[] = []

/** Makes a change visible to this isolate immediately. @param ids of keys, members, sessions, origins or workspaces */
export function forgetCached(...ids: string[]): void {
  for (const lookup of lookups) lookup.forget(ids)
}

/** A cache of values by key. Keys without a value are cached separately, so that made-up keys evict no real ones. */
export class TimedLookup<T extends object> {
  readonly #values: LRUCache<string, T>
  readonly #missing: LRUCache<string, true>

  constructor(lifetimeMs: number, capacity: number) {
    this.#values = timedCache(lifetimeMs, capacity)
    this.#missing = timedCache(lifetimeMs, capacity)
    lookups.push(this)
  }

  /** @param now time at which a read would begin */
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

  /** Evicts these keys, and values with one of them as a property. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#missing.delete(id)
    for (const [key, value] of this.#values.entries())
      if ([key, ...Object.values(value)].some((member) => ids.includes(member))) this.#values.delete(key)
  }
}
