import type { Cells } from '#shared/records/csv/rows'
import { isBlank } from '#shared/text/characters'

/** The form in which values are compared. */
export const valueKey = (value: string): string => value.trim().toLowerCase()

/** A value of a column, and the number of rows with it. */
export interface ValueCount {
  /** As it is first spelled. */
  value: string
  count: number
}

/** The values of a column in all rows of a file. */
export interface ColumnValues {
  /** Number of rows with a value. */
  filled: number
  /** The first distinct values. */
  values: readonly ValueCount[]
  /** Whether the column has no other values. */
  isComplete: boolean
}

export const NO_VALUES: ColumnValues = { filled: 0, values: [], isComplete: true }

/** Most distinct values to count. */
const MOST_VALUES = 50

/**
 * Counts the values of a column. A column of names reaches the limit after a few rows, and costs nothing afterwards.
 */
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

/** The values of all columns, and the number of rows with any value. @param rows the rows below the header row */
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
