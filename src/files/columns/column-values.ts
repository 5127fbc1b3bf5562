import type { Cells } from '#shared/records/csv/rows'
import { isBlank } from '#shared/text/characters'

/** A value as values are compared. */
export const valueKey = (value: string): string => value.trim().toLowerCase()

/** A value of a column, and how many rows have it. */
export interface ValueCount {
  /** As it is first written. */
  value: string
  count: number
}

/** The values of a column in all rows of a file. */
export interface ColumnValues {
  /** Rows with a value. */
  filled: number
  /** The first different values. */
  values: readonly ValueCount[]
  /** Whether the column has no other values. */
  isComplete: boolean
}

export const NO_VALUES: ColumnValues = { filled: 0, values: [], isComplete: true }

/** The most different values that are counted. */
const MOST_VALUES = 50

/** Counts the values of a column. A column of names has too many after its first rows, and costs nothing then. */
class ValueCounter implements ColumnValues {
  filled = 0
  isComplete = true
  readonly #counts = new Map<string, ValueCount>()

  /** @param value not blank */
  add(value: string): void {
    this.filled++
    if (!this.isComplete) return
    const key = valueKey(value)
    const known = this.#counts.get(key)
    if (known !== undefined) known.count++
    else if (this.#counts.size < MOST_VALUES) this.#counts.set(key, { value: value.trim(), count: 1 })
    else this.isComplete = false
  }

  get values(): ValueCount[] {
    return [...this.#counts.values()]
  }
}

/** The values of all columns, and how many rows have any. @param rows those below the header row */
export function countValues(rows: Iterable<Cells>): { rows: number; columns: readonly ColumnValues[] } {
  const counters: ValueCounter[] = []
  let count = 0
  for (const cells of rows) {
    let hasData = false
    for (let position = 0; position < cells.length; position++) {
      const cell = cells[position]!
      if (isBlank(cell)) continue
      hasData = true
      for (let next = counters.length; next <= position; next++) counters.push(new ValueCounter())
      counters[position]!.add(cell)
    }
    if (hasData) count++
  }
  return {
    rows: count,
    columns: counters.map(({ filled, values, isComplete }) => ({ filled, values, isComplete })),
  }
}
