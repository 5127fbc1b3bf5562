import type { DerivedField, RawRecord } from './record-type'
import type { Warning } from './warnings'

/** Values that a warning lists with their counts, and values that its message names. */
const SHOWN_VALUES = 20
const NAMED_VALUES = 3

/** Different values that are counted; the others only add to the number of records. */
const MAX_COUNTED_VALUES = 10_000

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Counts the values of a field from which a derived field does not follow, such as dosage forms that are not accepted. */
export class UnmatchedValues {
  readonly #field: DerivedField
  readonly #matches = new Map<string, boolean>()
  readonly #counts = new Map<string, number>()
  #records = 0

  constructor(field: DerivedField) {
    this.#field = field
  }

  note(record: RawRecord): void {
    const value = record[this.#field.from]
    if (typeof value !== 'string' || this.#isMatched(value)) return
    this.#records++
    const count = this.#counts.get(value)
    if (count !== undefined) this.#counts.set(value, count + 1)
    // A copy, because the text of a cell keeps the whole file in memory.
    else if (this.#counts.size < MAX_COUNTED_VALUES) this.#counts.set([...value].join(''), 1)
  }

  #isMatched(value: string): boolean {
    let matched = this.#matches.get(value)
    if (matched === undefined) {
      matched = this.#field.derive(value) !== null
      if (this.#matches.size < MAX_COUNTED_VALUES) this.#matches.set([...value].join(''), matched)
    }
    return matched
  }

  /** One warning for all values; undefined when every value matched. */
  warning(): Warning | undefined {
    if (this.#records === 0) return undefined
    const values = [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count)
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
