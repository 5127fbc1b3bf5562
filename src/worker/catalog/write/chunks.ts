import { MAX_SENT_BYTES } from '#shared/limits'
import type { CheckedRecord } from '#shared/records/reader'
import { BACKSLASH, QUOTE } from '#shared/text/characters'
import type { Chunk } from '#worker/catalog/write/sql/elements'

/**
 * Characters of one chunk of records handed to the database as a single bound value. D1 takes 2,000,000 bytes for a
 * value, and no character takes more than three: in UTF-8, or as an escape in JSON within JSON.
 */
export const MAX_CHUNK_CHARACTERS = 600_000

/**
 * Chunks of one write: D1 binds at most 100 values to a statement, and the statement has some of its own. Two chunks
 * beside each other hold more than `MAX_CHUNK_CHARACTERS`, so that 10 MB without escapes make fewer.
 */
export const MAX_CHUNKS = 75

/**
 * Collects the records of a write in the form for the database: JSON lists that stay below D1's limit for one bound
 * value. Each list is made at once, and its records are dropped.
 */
export class ChunkBuilder {
  readonly #chunks: Chunk[] = []
  readonly #idLists: string[] = []
  readonly #keepsIds: boolean
  readonly #weight: Weight
  #records: string[] = []
  #ids: string[] = []
  #characters = 0
  total = 0

  /**
   * @param keepsIds whether the ids are wanted by themselves too
   * @param most bytes of memory; see `MAX_SENT_BYTES`
   */
  constructor(keepsIds: boolean, most = MAX_SENT_BYTES) {
    this.#keepsIds = keepsIds
    this.#weight = new Weight(most)
  }

  add({ id, json }: CheckedRecord): void {
    if (this.#characters + json.length > MAX_CHUNK_CHARACTERS) this.#flush()
    this.#records.push(json)
    if (this.#keepsIds) this.#ids.push(id)
    this.#characters += json.length + 1
    this.total++
  }

  /** Whether the records so far take more on their way to the database than their memory or `MAX_CHUNKS`. */
  get isTooLarge(): boolean {
    return this.#weight.isTooLarge || this.#chunks.length > MAX_CHUNKS
  }

  #flush(): void {
    if (this.#records.length === 0) return
    const json = jsonList(this.#records)
    this.#chunks.push({ json, offset: this.total - this.#records.length })
    this.#weight.add(json)
    if (this.#keepsIds) {
      const ids = JSON.stringify(this.#ids)
      this.#idLists.push(ids)
      this.#weight.add(ids)
    }
    this.#records = []
    this.#ids = []
    this.#characters = 0
  }

  /** @returns the records and their ids, in lists */
  finish(): { chunks: Chunk[]; ids: string[] } {
    this.#flush()
    return { chunks: this.#chunks, ids: this.#idLists }
  }
}

const LATIN_1_END = 0x100

/**
 * The bytes of memory that texts and the JSON of a batch with them take. It reads no text while they are certainly few.
 */
class Weight {
  readonly #most: number
  #unweighed: string[] = []
  #characters = 0
  #bytes = 0
  #escapedCharacters = 0
  #isWide = false

  constructor(most: number) {
    this.#most = most
  }

  /** @param text JSON */
  add(text: string): void {
    this.#unweighed.push(text)
    this.#characters += text.length
    // So many are never too large: each takes two bytes, and two more characters if it is escaped.
    if (this.#characters <= this.#most / 6) return
    for (const waiting of this.#unweighed) this.#weigh(waiting)
    this.#unweighed = []
  }

  /** The engine takes two bytes for each character of a text with one that is not Latin-1. */
  #weigh(text: string): void {
    let isWide = false
    let escaped = text.length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE || code === BACKSLASH) escaped++
      else if (code >= LATIN_1_END) isWide = true
    }
    this.#isWide ||= isWide
    this.#bytes += isWide ? 2 * text.length : text.length
    this.#escapedCharacters += escaped
  }

  get isTooLarge(): boolean {
    return this.#bytes + (this.#isWide ? 2 : 1) * this.#escapedCharacters > this.#most
  }
}

/**
 * The JSON list of elements that are JSON already. The brackets are joined with them: put around the joined text, they
 * make a text of several pieces, which the engine copies once more before it is sent.
 */
function jsonList(elements: string[]): string {
  elements[0] = `[${elements[0]}`
  elements.push(`${elements.pop()}]`)
  return elements.join(',')
}
