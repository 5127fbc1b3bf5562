import type { CheckedRecord } from '#shared/records/record-check'
import { BACKSLASH, QUOTE } from '#shared/text/characters'
import { copyInLatin1, isLatin1 } from '#shared/text/latin-1'
import type { Chunk } from './sql/sent-records'

/** Characters of a chunk. D1 accepts values of 2,000,000 bytes; a character, even escaped, has at most three. */
export const MAX_CHUNK_CHARACTERS = 600_000

/**
 * Most chunks. D1 binds at most 100 values to a statement, which has some of its own. 10 MB without escapes make fewer
 * chunks, because two adjacent ones have more than `MAX_CHUNK_CHARACTERS`.
 */
export const MAX_CHUNKS = 75

/** Characters of a list of IDs. One may be escaped as six. */
const MAX_ID_CHARACTERS = MAX_CHUNK_CHARACTERS / 3

/**
 * Counts the memory of texts that are sent in one batch: the texts themselves, at two bytes per character unless all
 * are Latin-1, and the batch, a JSON text in which quotes and backslashes are escaped. The other parameters of the
 * batch do not widen it (`latin1Parameter`).
 */
export class SentTexts {
  readonly #maxBytes: number
  #unmeasured: string[] = []
  #characters = 0
  #textBytes = 0
  /** Quotes and backslashes of the texts that were measured. */
  #escapes = 0
  #isLatin1 = true

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @returns the text, with one byte for each character if it is in Latin-1 */
  add(text: string): string {
    const isNarrow = isLatin1(text)
    const sent = isNarrow ? copyInLatin1(text) : text
    this.#unmeasured.push(sent)
    this.#characters += sent.length
    this.#textBytes += isNarrow ? sent.length : 2 * sent.length
    this.#isLatin1 &&= isNarrow
    return sent
  }

  /** Does not count escapes until the texts could be too large. @param keptBytes bytes in memory that are not sent */
  isTooLarge(keptBytes = 0): boolean {
    const isTooLargeWith = (escapes: number) =>
      keptBytes + this.#textBytes + (this.#isLatin1 ? 1 : 2) * (this.#characters + escapes) > this.#maxBytes
    if (!isTooLargeWith(this.#characters)) return false
    for (const text of this.#unmeasured.splice(0)) this.#escapes += escapesIn(text)
    return isTooLargeWith(this.#escapes)
  }
}

function escapesIn(text: string): number {
  let escapes = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE || code === BACKSLASH) escapes++
  }
  return escapes
}

/** Collects records in JSON lists below D1's limit for one bound value. */
export class ChunkBuilder {
  readonly chunks: Chunk[] = []
  readonly #texts: SentTexts
  #records: string[] = []
  #lastPosition = 0
  #characters = 0

  constructor(texts: SentTexts) {
    this.#texts = texts
  }

  add({ json, position }: Pick<CheckedRecord, 'json' | 'position'>): void {
    if (this.#characters + json.length > MAX_CHUNK_CHARACTERS) this.finish()
    this.#records.push(json)
    this.#lastPosition = position
    this.#characters += json.length + 1
  }

  /** Closes the current list. */
  finish(): void {
    if (this.#records.length === 0) return
    this.chunks.push({ json: this.#texts.add(jsonList(this.#records)), lastPosition: this.#lastPosition })
    this.#records = []
    this.#characters = 0
  }
}

/** Counts the records of a request, and collects the IDs of a reconcile in JSON lists. */
export class RequestIds {
  readonly idLists: string[] = []
  total = 0
  hasInactive = false
  readonly #isReconcile: boolean
  readonly #texts: SentTexts
  #ids: string[] = []
  #characters = 0

  constructor(mode: 'upsert' | 'reconcile', texts: SentTexts) {
    this.#isReconcile = mode === 'reconcile'
    this.#texts = texts
  }

  add({ id, isActive }: Pick<CheckedRecord, 'id' | 'isActive'>): void {
    this.total++
    this.hasInactive ||= !isActive
    if (!this.#isReconcile) return
    if (this.#characters + id.length > MAX_ID_CHARACTERS) this.finish()
    this.#ids.push(id)
    this.#characters += id.length + 3
  }

  finish(): void {
    if (this.#ids.length === 0) return
    this.idLists.push(this.#texts.add(JSON.stringify(this.#ids)))
    this.#ids = []
    this.#characters = 0
  }
}

/**
 * A JSON list of JSON elements. Adds the brackets to the first and last element, because adding them to the joined text
 * would copy it once more.
 */
function jsonList(elements: string[]): string {
  elements[0] = `[${elements[0]}`
  elements.push(`${elements.pop()}]`)
  return elements.join(',')
}
