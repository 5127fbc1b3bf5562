interface LruEntry<Key, Value> {
  /** The key of the first insertion: a later text that is equal may be a part of a whole file, and would keep it. */
  key: Key
  value: Value
  size: number
}

interface Sizes<Key, Value> {
  /** Size of an entry, in the unit of the capacity; 1 by default. */
  sizeOf?: (value: Value, key: Key) => number
  /** A larger entry is not kept. */
  largest?: number
}

/** What an isolate remembers, up to a size. If it is full, the entries that were used longest ago make room. */
export class LruMap<Key, Value extends NonNullable<unknown> | null> {
  // A Map keeps the order of insertion. An entry that is used is inserted again, at the end.
  readonly #entries = new Map<Key, LruEntry<Key, Value>>()
  readonly #capacity: number
  readonly #largest: number
  readonly #sizeOf: (value: Value, key: Key) => number
  #size = 0

  /** @param capacity size of all entries together, by default their number */
  constructor(capacity: number, { sizeOf = () => 1, largest = capacity }: Sizes<Key, Value> = {}) {
    this.#capacity = capacity
    this.#sizeOf = sizeOf
    this.#largest = largest
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(entry.key, entry)
    return entry.value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    const size = this.#sizeOf(value, key)
    if (size > this.#largest) return
    this.#entries.set(key, { key, value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity) return
      this.delete(oldest)
    }
  }

  /** The value of a key, made if there is none. */
  obtain(key: Key, make: () => Value): Value {
    const existing = this.get(key)
    if (existing !== undefined) return existing
    const value = make()
    this.set(key, value)
    return value
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }

  forget(matches: (value: Value) => boolean): void {
    for (const { key, value } of this.#entries.values()) if (matches(value)) this.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }
}
