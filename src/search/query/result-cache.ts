import type { Matches } from './matches'

/** Size of an entry and of a row without the texts, in characters. */
const ENTRY_CHARACTERS = 500
const ROW_CHARACTERS = 200

const charactersOf = (key: string, { rows }: Matches): number =>
  rows.reduce(
    (sum, { record_id, data }) => sum + ROW_CHARACTERS + record_id.length + data.length,
    ENTRY_CHARACTERS + key.length,
  )

/**
 * Results of searches, by everything that they depend on. The key includes the revision of the catalog, so no result
 * is ever outdated: after a write nobody asks for it again. When the cache is full, it drops the least recently used
 * result. Each isolate has its own cache.
 */
export class ResultCache {
  readonly #entries = new Map<string, Matches>()
  readonly #capacity: number
  readonly #largest: number
  #characters = 0

  /**
   * @param capacity characters of all entries; each takes up to two bytes of memory
   * @param largest characters of one entry; a larger one is not kept
   */
  constructor(capacity: number, largest: number) {
    this.#capacity = capacity
    this.#largest = largest
  }

  get(key: string): Matches | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A Map keeps the order of insertion. Deleting the entry and setting it again moves it to the end.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  set(key: string, value: Matches): void {
    const characters = charactersOf(key, value)
    if (characters > this.#largest) return
    this.#remove(key)
    this.#entries.set(key, value)
    this.#characters += characters
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#capacity) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#characters -= charactersOf(key, entry)
  }
}
