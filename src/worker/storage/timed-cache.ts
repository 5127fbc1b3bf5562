import { LRUCache } from 'lru-cache'

/** What this isolate read a short time ago. Give `start` when the read began: what was read may lack later changes. */
export const timedCache = <T extends NonNullable<unknown>>(lifetimeMs: number, capacity: number): LRUCache<string, T> =>
  // An entry expires after its `ttl`, not at it: hence -1. `ttlResolution: 0`, because a timer belongs to one request.
  new LRUCache({ max: capacity, ttl: lifetimeMs - 1, ttlResolution: 0, perf: { now: () => Date.now() } })

const lookups: { forget(ids: readonly string[]): void }[] = []

/** Makes this isolate see a change at once: of keys, members, sessions, origins or a workspace. @param ids of them */
export function forgetCached(...ids: string[]): void {
  for (const lookup of lookups) lookup.forget(ids)
}

/** The value of a key, if any. Keys without one have their own cache: made-up keys push out no real ones. */
export class TimedLookup<T extends object> {
  readonly #values: LRUCache<string, T>
  readonly #missing: LRUCache<string, true>

  constructor(lifetimeMs: number, capacity: number) {
    this.#values = timedCache(lifetimeMs, capacity)
    this.#missing = timedCache(lifetimeMs, capacity)
    lookups.push(this)
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

  /** Forgets what is known of these keys, and the values that have one of them as a member. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#missing.delete(id)
    for (const [key, value] of this.#values.entries())
      if ([key, ...Object.values(value)].some((member) => ids.includes(member))) this.#values.delete(key)
  }
}
