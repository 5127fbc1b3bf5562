import { type SQL, sql } from 'drizzle-orm'
import { MAX_SENT_BYTES } from '#shared/limits'
import type { CheckedRecord } from '#shared/records/reader'
import { BACKSLASH, QUOTE } from '#shared/text/characters'

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

/** Records for the database: a JSON list of what `writtenForm` makes of them. */
export interface Chunk {
  json: string
  /** Position in the request of the chunk's first record. */
  offset: number
}

/**
 * The members of one element of a chunk. Of the stored form, the text: `->>` gives that of a list as it stands in the
 * JSON.
 */
export const ELEMENT = {
  id: sql.raw('element.value ->> 0'),
  isActive: sql.raw('element.value ->> 1'),
  data: sql.raw('element.value ->> 3'),
}

/**
 * The chunks of a request as a table of their elements; `column2` is the offset. D1 allows only five parts in a
 * compound select, so this is a `values` list.
 */
export const elementsOf = (chunks: readonly Chunk[]): SQL =>
  sql`(values ${sql.join(
    (chunks.length > 0 ? chunks : [{ json: '[]', offset: 0 }]).map(
      // The offset is not bound: a statement takes a hundred bound values, and the chunks need them.
      ({ json, offset }) => sql`(${json}, ${sql.raw(String(offset))})`,
    ),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as element`

/**
 * The elements of the chunks with their positions in the request. With `limit -1` (all rows) the database makes the
 * text of an element once. Without it, it makes the text again for each position that names one of its members.
 */
export const elementsWithPositions = (chunks: readonly Chunk[]): SQL =>
  sql`(select chunk.column2 + element.key as position, element.value from ${elementsOf(chunks)} limit -1)`

/** The ids of a request as a subquery, from the JSON lists that hold them. */
export const sentIds = (lists: readonly string[]): SQL =>
  sql`select element.value from ${elementsOf(lists.map((json) => ({ json, offset: 0 })))}`
