import type { RawRecord, RecordType } from './record-type'
import type { ReadTexts } from './search/read-texts'

/** Fields that may differ between two entries of one item. */
const OWN_FIELDS: readonly string[] = ['sku', 'refid', 'aliases', 'is_active']

/**
 * Finds records that are equal in every field but the id, `sku`, `refid` and `aliases`, as text search compares texts:
 * somebody has probably added an item twice.
 */
export class SameItems {
  readonly #fields: readonly string[]
  readonly #texts: ReadTexts
  readonly #firstByKey = new Map<string, string>()

  constructor({ fields, idField }: RecordType, texts: ReadTexts) {
    this.#texts = texts
    this.#fields = fields.map(({ name }) => name).filter((name) => name !== idField && !OWN_FIELDS.includes(name))
  }

  /** Adds an active record. @returns the id of the first one that is the same item; undefined if this is the first */
  add(id: string, record: RawRecord): string | undefined {
    return this.addKey(id, this.keyOf(record))
  }

  /** As `add`, for a record whose key is known. */
  addKey(id: string, key: string): string | undefined {
    const first = this.#firstByKey.get(key)
    if (first === undefined) this.#firstByKey.set(key, id)
    return first
  }

  /** The key that entries of one item share. */
  keyOf(record: RawRecord): string {
    let key = ''
    for (const name of this.#fields) {
      const value = name === 'display_name' ? (record[name] ?? record.name) : record[name]
      key += `${this.#textOf(value)}\n`
    }
    return key
  }

  #textOf(value: unknown): string {
    if (Array.isArray(value)) return value.map((item) => this.#textOf(item)).join('\t')
    if (typeof value === 'string') return this.#texts.of(value).line
    return value === undefined || value === null ? '' : String(value)
  }
}
