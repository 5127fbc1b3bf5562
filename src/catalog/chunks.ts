import type { Chunk } from '#catalog/sql/write'
import { MAX_CHUNK_CHARACTERS } from '#limits'
import type { CheckedRecord } from '#records/reader'

type Element = [id: string, isActive: 0 | 1, searchText: string, data: string]

/**
 * Collects the records of a write in the form for the database: JSON lists that stay below D1's limit for one bound
 * value. Each list is made at once, and its records are dropped.
 */
export class ChunkBuilder {
  readonly #chunks: Chunk[] = []
  readonly #ids: string[] = []
  #elements: Element[] = []
  #characters = 0
  total = 0

  add({ id, isActive, searchText, data }: CheckedRecord): void {
    const characters = id.length + searchText.length + data.length
    if (this.#characters + characters > MAX_CHUNK_CHARACTERS) this.#flush()
    this.#elements.push([id, isActive ? 1 : 0, searchText, data])
    this.#characters += characters
    this.total++
  }

  #flush(): void {
    if (this.#elements.length === 0) return
    this.#chunks.push({ json: JSON.stringify(this.#elements), offset: this.total - this.#elements.length })
    this.#ids.push(JSON.stringify(this.#elements.map(([id]) => id)))
    this.#elements = []
    this.#characters = 0
  }

  /** @returns the records, and their ids, in lists */
  finish(): { chunks: Chunk[]; ids: string[] } {
    this.#flush()
    return { chunks: this.#chunks, ids: this.#ids }
  }
}
