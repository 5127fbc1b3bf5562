import { type SQL, sql } from 'drizzle-orm'
import { MAX_SENT_BYTES } from '#shared/limits'
import type { CheckedRecord } from '#shared/records/record-check'
import { BACKSLASH, QUOTE } from '#shared/text/characters'

/**
 * Characters of one chunk of records handed to the database as a single bound value. D1 takes 2,000,000 bytes for a
 * value, and no character takes more than three: in UTF-8, or as an escape in JSON within JSON.
 */
export const MAX_CHUNK_CHARACTERS = 600_000

/**
 * Most chunks of one write: D1 binds at most 100 values to a statement, and the statement has some of its own. Any two
 * neighbours together have more than `MAX_CHUNK_CHARACTERS`, so 10 MB without escapes make fewer chunks than this.
 */
export const MAX_CHUNKS = 75

/** Collects the records of a write in JSON lists below D1's limit for one bound value. */
export class ChunkBuilder {
  readonly #chunks: Chunk[] = []
  readonly #idLists: string[] = []
  readonly #keepsIds: boolean
  readonly #memory: MemoryEstimate
  #records: string[] = []
  #ids: string[] = []
  #characters = 0
  total = 0
  hasInactive = false

  /** @param keepsIds whether to collect the ids by themselves too */
  constructor(keepsIds: boolean, maxBytes = MAX_SENT_BYTES) {
    this.#keepsIds = keepsIds
    this.#memory = new MemoryEstimate(maxBytes)
  }

  add({ id, isActive, json }: CheckedRecord): void {
    this.hasInactive ||= !isActive
    if (this.#characters + json.length > MAX_CHUNK_CHARACTERS) this.#flush()
    this.#records.push(json)
    if (this.#keepsIds) this.#ids.push(id)
    this.#characters += json.length + 1
    this.total++
  }

  /** Whether the records so far take too much memory when they are sent, or more than `MAX_CHUNKS`. */
  get isTooLarge(): boolean {
    return this.#memory.isTooLarge || this.#chunks.length > MAX_CHUNKS
  }

  #flush(): void {
    if (this.#records.length === 0) return
    const json = jsonList(this.#records)
    this.#chunks.push({ json, offset: this.total - this.#records.length })
    this.#memory.add(json)
    if (this.#keepsIds) {
      const ids = JSON.stringify(this.#ids)
      this.#idLists.push(ids)
      this.#memory.add(ids)
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
 * Estimates the memory of texts while they are sent: of the texts themselves, and of the JSON of the batch that holds
 * them. It reads no text before they could be too large.
 */
class MemoryEstimate {
  readonly #maxBytes: number
  #unmeasuredTexts: string[] = []
  #characters = 0
  #textBytes = 0
  #jsonCharacters = 0
  #isWide = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @param text JSON */
  add(text: string): void {
    this.#unmeasuredTexts.push(text)
    this.#characters += text.length
    // A character takes at most six bytes: two in the text, and four in the JSON if it is escaped there.
    if (this.#characters <= this.#maxBytes / 6) return
    for (const unmeasured of this.#unmeasuredTexts) this.#measure(unmeasured)
    this.#unmeasuredTexts = []
  }

  /** A text takes two bytes for each character if one of them is not Latin-1, and else one byte. */
  #measure(text: string): void {
    let isWide = false
    let jsonCharacters = text.length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE || code === BACKSLASH) jsonCharacters++
      else if (code >= LATIN_1_END) isWide = true
    }
    this.#isWide ||= isWide
    this.#textBytes += isWide ? 2 * text.length : text.length
    this.#jsonCharacters += jsonCharacters
  }

  get isTooLarge(): boolean {
    return this.#textBytes + (this.#isWide ? 2 : 1) * this.#jsonCharacters > this.#maxBytes
  }
}

/**
 * Makes a JSON list of elements that are JSON already. The brackets become part of the first and the last element
 * before all are joined. Added to the joined text, they would make the engine copy it once more.
 */
function jsonList(elements: string[]): string {
  elements[0] = `[${elements[0]}`
  elements.push(`${elements.pop()}]`)
  return elements.join(',')
}

/** Records for the database: a JSON list of what `writtenForm` makes of them, and the position of its first one. */
export interface Chunk {
  json: string
  offset: number
}

/** The elements at these positions of the request, as `writtenForm` makes them, parsed. @param positions ascending */
export function* elementsAt(
  chunks: readonly Chunk[],
  positions: readonly number[],
): Generator<{ position: number; id: string; element: unknown }> {
  let next = 0
  for (const [n, { json, offset }] of chunks.entries()) {
    const end = chunks[n + 1]?.offset ?? Number.POSITIVE_INFINITY
    let elements: unknown[] | undefined
    for (let position = positions[next]; position !== undefined && position < end; position = positions[++next]) {
      elements ??= JSON.parse(json) as unknown[]
      const element = elements[position - offset]
      yield { position, id: Array.isArray(element) ? String(element[0]) : '', element }
    }
  }
}

/** The members of one element of a chunk, as SQL. `data` is the text of the stored form, as it stands in the JSON. */
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
