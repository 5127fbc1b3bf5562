import { cellReader } from '#shared/records/csv/cell'
import { compactHeader, type HeaderNames, normalizedHeader } from '#shared/records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { type ColumnValues, NO_VALUES, type ValueCount, valueKey } from './column-values'
import { type Meanings, valuesToExplain } from './meanings'
import { saysState } from './states'
import { headerParts, isBareNumber, isUnit } from './units'
import { usualMeaning, withoutLanguage } from './usual-headers'
import { areFlags, areRepeated, namesThings, type ValueDoubt } from './value-doubts'
import { oppositeOf } from './yes-no'

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

const COLUMN_EXAMPLES = 3

/** What is known of a file before its columns are. */
interface ColumnFacts {
  header: readonly string[]
  /** The values of the columns, as far as any row has one, and the number of rows with data. */
  values: readonly ColumnValues[]
  rows: number
  hidden: readonly number[]
}

/** Headers of a column that has the units of another one. */
const UNIT_HEADER = /^(?:strength|dose|dosage)?(?:units?|uom|unitofmeasure)$/

/** Whether a field takes any of some values. A field of free text takes all. */
function takesAny(field: Field, { reversed: isReversed, meanings = {} }: Target, values: readonly string[]): boolean {
  if (
    values.length === 0 ||
    values.some((value) => Object.hasOwn(meanings, valueKey(value))) ||
    (field.kind !== 'boolean' && field.kind !== 'enum')
  )
    return true
  const readValue = cellReader(field)
  return values.some((text) => {
    if (field.kind === 'boolean') return typeof readValue(isReversed ? oppositeOf(text) : text) === 'boolean'
    return field.values.includes(String(readValue(text)))
  })
}

/** Decides where each column of a file goes. */
class ColumnTargets {
  readonly #type: RecordType
  readonly #names: HeaderNames
  /** Whether the file has rows: without any, a column without values says nothing. */
  readonly #hasRows: boolean
  /** Fields that have a column. */
  readonly #takenFields = new Set<Field>()

  constructor(type: RecordType, names: HeaderNames, hasRows: boolean) {
    this.#type = type
    this.#names = names
    this.#hasRows = hasRows
  }

  /** Gives a column a field. One that every record needs has no column without values. */
  assign(column: FileColumn, target: Target, by: FileColumn['by']): void {
    const { field: name, reversed, unit, unitOf, meanings } = target
    const field = fieldNamed(this.#type, name)
    if (field?.required && this.#isEmpty(column)) column.emptyField = field
    else {
      Object.assign(column, { field, by, reversed: reversed === true, unit, unitOf, meanings })
      if (field !== undefined) this.#takenFields.add(field)
    }
  }

  #isEmpty({ filled }: FileColumn): boolean {
    return this.#hasRows && filled === 0
  }

  /**
   * Gives a column the field that its header names, unless its values say that it is another one.
   *
   * @param earlier where the column went last time: what its values meant then counts for the same field
   */
  assignByHeader(column: FileColumn, values: readonly string[], earlier: Target | undefined): void {
    const field = this.#names.fieldOf(column.header)
    if (field === undefined) return
    const meanings = earlier?.field === field.name ? earlier.meanings : undefined
    this.#assignNamed(column, { field: field.name, meanings }, 'header', field, values)
  }

  #assignNamed(column: FileColumn, target: Target, by: FileColumn['by'], field: Field, values: readonly string[]) {
    if (!areFlags(field, values)) return this.assign(column, target, by)
    this.assign(column, { field: null }, 'guess')
    Object.assign(column, { doubt: 'flags', namedField: field } satisfies Partial<FileColumn>)
  }

  /** Gives a column the field of last time, unless another column has that, or the values do not fit. */
  assignFromMemory(column: FileColumn, target: Target | undefined, values: readonly string[]): void {
    if (target === undefined || (target.field !== null && this.#isEmpty(column))) return
    const field = fieldNamed(this.#type, target.field)
    const isTaken = field !== undefined && this.#takenFields.has(field)
    if (field !== undefined && (isTaken || !takesAny(field, target, values)))
      column.misfit = { field: field.name, because: isTaken ? 'taken' : 'values', target }
    else this.assign(column, target, 'memory')
  }

  /** Lets a column of units complete a column of numbers. */
  assignUnits(column: FileColumn, values: readonly string[], columns: readonly FileColumn[]): void {
    if (!UNIT_HEADER.test(compactHeader(column.header)) || !values.every(isUnit)) return
    const numbers = columns.find(({ field, examples }) => field?.name === 'strength' && examples.some(isBareNumber))
    if (numbers?.field === undefined || column.examples.length === 0) return
    this.assign(column, { field: null, unitOf: numbers.field.name }, 'guess')
    // The unit of each row counts, not one for all rows.
    if (numbers.by !== 'person') numbers.unit = undefined
  }

  /**
   * Gives a column the field whose name is similar to its header, unless another column has that.
   *
   * @param isWeak whether a header counts too that hardly says what it is
   */
  assignGuess(column: FileColumn, values: readonly string[], isWeak: boolean): void {
    if (column.isIgnored) return
    if (this.#isEmpty(column)) {
      const field = this.#guess(column.header, values, isWeak)?.field
      if (field?.required) column.emptyField = field
      return
    }
    const guess = this.#guess(column.header, values, isWeak)
    if (guess === undefined || this.#takenFields.has(guess.field)) return
    const { field, reversed: isReversed } = guess
    const unit = field.kind === 'string' ? column.headerUnit : undefined
    const target = {
      field: field.name,
      ...(unit !== undefined && { unit }),
      ...(isReversed && { reversed: true as const }),
    }
    this.#assignNamed(column, target, 'guess', field, values)
  }

  /** What a column without a known header may be; undefined if nothing is near. */
  #guess(header: string, values: readonly string[], isWeak: boolean): { field: Field; reversed?: boolean } | undefined {
    const usual = usualMeaning(header, this.#type, isWeak)
    if (usual !== undefined) return usual
    const state = saysState(header, values) ? fieldNamed(this.#type, 'is_active') : undefined
    if (state !== undefined) return { field: state }
    const base = withoutLanguage(header) ?? headerParts(header)?.base
    const ofBase = base === undefined ? undefined : this.#names.fieldOf(base)
    if (ofBase !== undefined) return { field: ofBase }
    if (base !== undefined) return this.#guess(base, values, isWeak)
    const nearest = this.#names.nearestField(header, this.#takenFields)
    return nearest && { field: nearest }
  }
}

/**
 * What the values of a column leave in doubt: what they mean, or whether they are those of its field.
 *
 * @param values of the column
 */
function doubtsAbout({ header, field, doubt, reversed }: FileColumn, values: ColumnValues): Partial<FileColumn> {
  if (field === undefined) return {}
  if (field.kind === 'boolean' || field.kind === 'enum')
    return { states: valuesToExplain(header, field, values, reversed) }
  if (!namesThings(field)) return {}
  const isRepeated = values.isComplete && areRepeated(values.values.length, values.filled)
  return { doubt: isRepeated ? 'repeats' : doubt, namedField: field }
}

/**
 * Decides where each column goes: as the person says, else by its header, else as last time, else by a guess. Only the
 * person gives one field to two columns.
 *
 * @param earlier where a column with the same header went last time
 */
export function columnsOf(
  { header, values: columnValues, rows, hidden }: ColumnFacts,
  type: RecordType,
  names: HeaderNames,
  mapping: Mapping,
  earlier: (header: string) => Target | undefined,
  meanings: ColumnMeanings,
): FileColumn[] {
  const targets = new ColumnTargets(type, names, rows > 0)
  const valuesAt = (position: number) => columnValues[position] ?? NO_VALUES
  const values = header.map((_, position) => valuesAt(position).values.map(({ value }) => value))
  const textsOf = ({ position }: FileColumn) => values[position] ?? []
  const columns = header.map(
    (name, position): FileColumn => ({
      position,
      header: name,
      field: undefined,
      by: undefined,
      reversed: false,
      unit: undefined,
      unitOf: undefined,
      meanings: undefined,
      digits: undefined,
      states: undefined,
      doubt: undefined,
      namedField: undefined,
      headerUnit: headerParts(name)?.unit,
      examples: values[position]?.slice(0, COLUMN_EXAMPLES) ?? [],
      filled: valuesAt(position).filled,
      emptyField: undefined,
      isHidden: hidden.includes(position),
      isIgnored: names.isIgnored(name),
      misfit: undefined,
    }),
  )
  const open = () => columns.filter(({ by }) => by === undefined)
  for (const column of columns) {
    const choice = mapping.get(column.position)
    if (choice !== undefined) targets.assign(column, choice, 'person')
  }
  // What a person has said of a column counts more than its header, unless that is the name of a field.
  const isByMemory = ({ header: name }: FileColumn) =>
    earlier(name) !== undefined && names.fieldOf(name)?.name !== normalizedHeader(name)
  const assignByHeader = (ones: readonly FileColumn[]) => {
    for (const column of ones) targets.assignByHeader(column, textsOf(column), earlier(column.header))
  }
  assignByHeader(open().filter((column) => !isByMemory(column)))
  for (const column of open()) targets.assignFromMemory(column, earlier(column.header), textsOf(column))
  assignByHeader(open())
  for (const isWeak of [false, true]) for (const column of open()) targets.assignGuess(column, textsOf(column), isWeak)
  for (const column of open()) targets.assignUnits(column, textsOf(column), columns)
  return columns.map((column) => {
    const known = { ...column, meanings: meanings.get(column.position) ?? column.meanings }
    return { ...known, ...doubtsAbout(known, valuesAt(column.position)) }
  })
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
