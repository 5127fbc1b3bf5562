import type { Chunk } from '#catalog/sql/write'
import { MAX_CHUNK_CHARACTERS } from '#limits'
import type { CheckedRecord } from '#records/reader'

/**
 * Collects the records of a write in the form for the database: JSON lists that stay below D1's limit for one bound
 * value. Each list is made at once, and its records are dropped.
 */
export class ChunkBuilder {
  readonly #chunks: Chunk[] = []
  readonly #idLists: string[] = []
  readonly #keepsIds: boolean
  #records: string[] = []
  #ids: string[] = []
  #characters = 0
  total = 0

  /** @param keepsIds whether the ids are wanted by themselves too */
  constructor(keepsIds: boolean) {
    this.#keepsIds = keepsIds
  }

  add({ id, json }: CheckedRecord): void {
    if (this.#characters + json.length > MAX_CHUNK_CHARACTERS) this.#flush()
    this.#records.push(json)
    if (this.#keepsIds) this.#ids.push(id)
    this.#characters += json.length + 1
    this.total++
  }

  #flush(): void {
    if (this.#records.length === 0) return
    this.#chunks.push({ json: listOf(this.#records), offset: this.total - this.#records.length })
    if (this.#keepsIds) this.#idLists.push(JSON.stringify(this.#ids))
    this.#records = []
    this.#ids = []
    this.#characters = 0
  }

  /** @returns the records, and their ids, in lists */
  finish(): { chunks: Chunk[]; ids: string[] } {
    this.#flush()
    return { chunks: this.#chunks, ids: this.#idLists }
  }
}

/**
 * The JSON list of elements that are JSON already. The brackets are joined with them: put around the joined text, they
 * make a text of several pieces, which the engine copies once more before it is sent.
 */
function listOf(elements: string[]): string {
  elements[0] = `[${elements[0]}`
  elements.push(`${elements.pop()}]`)
  return elements.join(',')
}
