import type { Field } from '#shared/records/record-type'
import type { ValueCount } from './column-values'
import type { Meanings } from './meanings'
import type { ValueDoubt } from './value-doubts'

/** Where a column goes, and how its values are changed. */
export interface Target {
  /** Name of a field; null leaves the column out. */
  field: string | null
  /** Whether the column says the opposite of its field, which takes yes or no. */
  reversed?: true
  /** What is written behind values that are numbers alone. */
  unit?: string | undefined
  /** The field whose numbers take the values of this column as units. The column itself is left out. */
  unitOf?: string | undefined
  /** What is written for its values. */
  meanings?: Meanings | undefined
}

/** Where the person wants columns to go, by their positions. */
export type Mapping = ReadonlyMap<number, Target>

/** What the values of columns mean, by the positions of the columns. */
export type ColumnMeanings = ReadonlyMap<number, Meanings>

/** `values`: none of the values fits the field. `taken`: another column becomes it. */
interface Misfit {
  field: string
  because: 'values' | 'taken'
  /** Where the column went last time. */
  target: Target
}

export interface FileColumn {
  /** From 0. */
  position: number
  header: string
  /** The field that it becomes; undefined if it is left out. */
  field: Field | undefined
  /**
   * What says so: its header, a guess from a header that is near, the memory of earlier files, or the person.
   */
  by: 'header' | 'guess' | 'memory' | 'person' | undefined
  /** See `Target`. */
  reversed: boolean
  unit: string | undefined
  unitOf: string | undefined
  meanings: Meanings | undefined
  /** How many digits its ids have with the zeros in front that the file has lost. */
  digits: number | undefined
  /** The values that a person must explain; undefined if there are none. */
  states: readonly ValueCount[] | undefined
  /** Why its values are probably none of the field that its header names, and which field that is. */
  doubt: ValueDoubt | undefined
  namedField: Field | undefined
  /** The unit that its header names. */
  headerUnit: string | undefined
  /** The first different values, as they are in the file. */
  examples: readonly string[]
  /** Rows that have a value. */
  filled: number
  /** The field that every record needs and that this column would become if it had a value. */
  emptyField: Field | undefined
  /** Whether the spreadsheet hides it. */
  isHidden: boolean
  /** Whether the service ignores it without a warning. */
  isIgnored: boolean
  /** The field of last time, if the column cannot become that now, and why. */
  misfit: Misfit | undefined
}

/** A column that is not read because it has no values. */
export const isEmptyColumn = ({ field, filled, isIgnored }: FileColumn): boolean =>
  field === undefined && filled === 0 && !isIgnored

/** The share of rows from which on a column has the values of its field. */
const LEAST_FILLED = 0.5

/** Whether most rows have no value in a column. @param rows with data */
export const isSparse = ({ filled }: Pick<FileColumn, 'filled'>, rows: number): boolean => filled < rows * LEAST_FILLED

/**
 * Whether a person should check where a column goes: its header does not say it, its values do not fit, or the
 * spreadsheet hides it. A guess whose values are to be explained is checked by that.
 */
export function isDoubtful({ by, filled, isHidden, isIgnored, doubt, states }: FileColumn): boolean {
  if (by === 'header') return filled > 0 && (isHidden || doubt !== undefined)
  if (by === 'guess' && states !== undefined) return false
  return by !== undefined || (filled > 0 && !isIgnored)
}
