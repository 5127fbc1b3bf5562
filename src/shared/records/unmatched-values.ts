import type { DerivedField, RawRecord } from './record-type'
import { counted, type Warning } from './warnings'

/** Values that a warning lists with their counts, and values that its message names. */
const SHOWN_VALUES = 20
const NAMED_VALUES = 3

/** Different values that are remembered; the others only add to the number of records. */
const MAX_KNOWN_VALUES = 10_000

interface ValueCount {
  value: string
  /** Records that have the value. */
  count: number
}

/**
 * Counts the values of a field from which a derived field does not follow, such as dosage forms that are not accepted.
 */
export class UnmatchedValues {
  readonly #field: DerivedField
  /** What is known of a value: its count, or null if it matched. One look-up answers both. */
  readonly #known = new Map<string, ValueCount | null>()
  readonly #counts: ValueCount[] = []
  #records = 0

  constructor(field: DerivedField) {
    this.#field = field
  }

  note(record: RawRecord): void {
    const value = record[this.#field.from]
    if (typeof value !== 'string') return
    const known = this.#known.get(value)
    const counted = known === undefined ? this.#firstSight(value) : known
    if (counted === null) return
    this.#records++
    counted.count++
  }

  /** @returns null if the value matches */
  #firstSight(value: string): ValueCount | null {
    // A copy, because the text of a cell keeps the whole file in memory.
    const copy = [...value].join('')
    const counted = this.#field.derive(copy) === null ? { value: copy, count: 0 } : null
    if (this.#known.size < MAX_KNOWN_VALUES) {
      this.#known.set(copy, counted)
      if (counted !== null) this.#counts.push(counted)
    }
    return counted
  }

  /** One warning for all values; undefined when every value matched. */
  warning(): Warning | undefined {
    if (this.#records === 0) return undefined
    const values = this.#counts.toSorted((a, b) => b.count - a.count)
    const named = values.slice(0, NAMED_VALUES).map(({ value, count }) => `"${value}" (${count})`)
    const rest = values.length > NAMED_VALUES ? ', …' : ''
    const total = `${counted(values.length, 'value')} in ${counted(this.#records, 'record')}`
    return {
      field: this.#field.from,
      msg: `${total} ${this.#field.unmatched}: ${named.join(', ')}${rest}`,
      values: values.slice(0, SHOWN_VALUES),
    }
  }
}
