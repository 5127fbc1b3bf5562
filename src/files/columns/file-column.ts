import type { Field } from '#shared/records/record-type'
import type { ValueCount } from './column-values'
import type { Meanings } from './meanings'
import type { ValueDoubt } from './value-doubts'

/** The target of a column, and the conversion of its values. */
export interface Target {
  /** Field name; null ignores the column. */
  field: string | null
  /** Whether the column means the opposite of its boolean field. */
  reversed?: true
  /** The unit to append to values that are only numbers. */
  unit?: string | undefined
  /** The field whose numbers get this column's values as units. The column itself is ignored. */
  unitOf?: string | undefined
  /** The values that replace its values. */
  meanings?: Meanings | undefined
}

/** The targets that the user has chosen, by column position. */
export type Mapping = ReadonlyMap<number, Target>

/** The meanings of values, by column position. */
export type ColumnMeanings = ReadonlyMap<number, Meanings>

/** `values`: no value fits the field. `taken`: another column is mapped to it. */
interface Misfit {
  field: string
  because: 'values' | 'taken'
  /** The column's previous target. */
  target: Target
}

export interface FileColumn {
  /** From 0. */
  position: number
  header: string
  /** The mapped field; undefined if the column is ignored. */
  field: Field | undefined
  /** The source of the mapping: the header, a guess from a similar header, the memory of earlier files, or the user. */
  by: 'header' | 'guess' | 'memory' | 'person' | undefined
  /** See `Target`. */
  reversed: boolean
  unit: string | undefined
  unitOf: string | undefined
  meanings: Meanings | undefined
  /** Number of digits of its IDs, including leading zeros that the file has lost. */
  digits: number | undefined
  /** The values that the user must explain; undefined if there are none. */
  states: readonly ValueCount[] | undefined
  /** Why its values probably do not belong to the field that its header names, and that field. */
  doubt: ValueDoubt | undefined
  namedField: Field | undefined
  /** The unit in its header. */
  headerUnit: string | undefined
  /** The first distinct values, as they are in the file. */
  examples: readonly string[]
  /** Number of rows with a value. */
  filled: number
  /** The required field that this column would get if it had a value. */
  emptyField: Field | undefined
  /** Whether it is hidden in the spreadsheet. */
  isHidden: boolean
  /** Whether the service ignores it without a warning. */
  isIgnored: boolean
  /** The previous field, if the column cannot be mapped to it now, and the reason. */
  misfit: Misfit | undefined
}

/** A column that is ignored because it has no values. */
export const isEmptyColumn = ({ field, filled, isIgnored }: FileColumn): boolean =>
  field === undefined && filled === 0 && !isIgnored

/** The share of rows with a value from which on a column is considered filled. */
const LEAST_FILLED = 0.5

/** Whether most rows have no value in a column. @param rows number of rows with data */
export const isSparse = ({ filled }: Pick<FileColumn, 'filled'>, rows: number): boolean => filled < rows * LEAST_FILLED

/**
 * Whether the user should check the mapping of a column: its header is unclear, its values do not fit, or it is hidden
 * in the spreadsheet. If the user must explain the values anyway, that checks the guess.
 */
export function isDoubtful({ by, filled, isHidden, isIgnored, doubt, states }: FileColumn): boolean {
  if (by === 'header') return filled > 0 && (isHidden || doubt !== undefined)
  if (by === 'guess' && states !== undefined) return false
  return by !== undefined || (filled > 0 && !isIgnored)
}
