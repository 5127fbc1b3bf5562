import { cellReader } from '#shared/records/csv/cell'
import { type HeaderNames, normalizedHeader } from '#shared/records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { type Meanings, type StateCount, saysState, stateKey } from './states'
import { headerParts, isBareNumber, isUnit } from './units'
import { compactHeader, usualMeaning } from './usual-headers'
import { areFlags, type ValueDoubt } from './value-doubts'
import { oppositeOf } from './yes-no'

/** Where a column goes, and how its values are changed. */
export interface Target {
  /** Name of a field; null leaves the column out. */
  field: string | null
  /** Whether the column says the opposite of its field, which takes yes or no. */
  reversed?: true
  /** What is written behind values that are numbers alone. */
  unit?: string
  /** The field whose numbers take the values of this column as units. The column itself is left out. */
  unitOf?: string
  /** What the values of a column mean that says whether something is so. */
  meanings?: Meanings
}

/** Where the person wants columns to go, by their positions. */
export type Mapping = ReadonlyMap<number, Target>

/** What the values of columns mean, by the positions of the columns. */
export type ColumnMeanings = ReadonlyMap<number, Meanings>

/** Where the columns of an earlier file with the same header row went; null if the header says it. */
export type Targets = readonly (Target | null)[]

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
  /** The values that a person must explain; undefined if there are none. */
  states: readonly StateCount[] | undefined
  /** Why its values are probably none of the field that its header names, and which field that is. */
  doubt: ValueDoubt | undefined
  namedField: Field | undefined
  /** The unit that its header names. */
  headerUnit: string | undefined
  /** The first different values, as they are in the file. */
  examples: readonly string[]
  /** Whether a cell of it is not blank. */
  hasValues: boolean
  /** Whether the spreadsheet hides it. */
  isHidden: boolean
  /** Whether the service ignores it without a warning. */
  isIgnored: boolean
  /** The field of last time, if the column cannot become that now. */
  misfit: string | undefined
}

const COLUMN_EXAMPLES = 3

/** The different values in some rows of a column. */
const valuesIn = (rows: readonly (readonly string[])[], position: number): string[] => [
  ...new Set(rows.map((cells) => (cells[position] ?? '').trim()).filter((value) => value !== '')),
]

/** What is known of a file before its columns are. */
interface ColumnFacts {
  header: readonly string[]
  /** Some rows below the header row, for examples. */
  samples: readonly (readonly string[])[]
  hidden: readonly number[]
}

/** Headers of a column that has the units of another one. */
const UNIT_HEADER = /^(?:strength|dose|dosage)?(?:units?|uom|unitofmeasure)$/

/** Whether a field takes any of some values. A field of free text takes all. */
function takesAny(field: Field, { reversed: isReversed, meanings = {} }: Target, values: readonly string[]): boolean {
  if (
    values.length === 0 ||
    values.some((value) => Object.hasOwn(meanings, stateKey(value))) ||
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
  /** Fields that have a column. */
  readonly #takenFields = new Set<Field>()

  constructor(type: RecordType, names: HeaderNames) {
    this.#type = type
    this.#names = names
  }

  assign(column: FileColumn, { field: name, reversed, unit, unitOf, meanings }: Target, by: FileColumn['by']): void {
    const field = fieldNamed(this.#type, name)
    Object.assign(column, { field, by, reversed: reversed === true, unit, unitOf, meanings })
    if (field !== undefined) this.#takenFields.add(field)
  }

  /** Gives a column the field that its header names, unless its values say that it is another one. */
  assignByHeader(column: FileColumn, values: readonly string[]): void {
    const field = this.#names.fieldOf(column.header)
    if (field !== undefined) this.#assignNamed(column, { field: field.name }, 'header', field, values)
  }

  #assignNamed(column: FileColumn, target: Target, by: FileColumn['by'], field: Field, values: readonly string[]) {
    if (!areFlags(field, values)) return this.assign(column, target, by)
    this.assign(column, { field: null }, 'guess')
    Object.assign(column, { doubt: 'flags', namedField: field } satisfies Partial<FileColumn>)
  }

  /** Gives a column the field of last time, unless another column has that, or the values do not fit. */
  assignFromMemory(column: FileColumn, target: Target | null | undefined): void {
    if (target === undefined || target === null) return
    const field = fieldNamed(this.#type, target.field)
    const isFree = field === undefined || (!this.#takenFields.has(field) && takesAny(field, target, column.examples))
    if (isFree) this.assign(column, target, 'memory')
    else column.misfit = field.name
  }

  /** Lets a column of units complete a column of numbers. */
  assignUnits(column: FileColumn, columns: readonly FileColumn[]): void {
    if (!UNIT_HEADER.test(compactHeader(column.header)) || !column.examples.every(isUnit)) return
    const numbers = columns.find(({ field, examples }) => field?.name === 'strength' && examples.some(isBareNumber))
    if (numbers?.field === undefined || column.examples.length === 0) return
    this.assign(column, { field: null, unitOf: numbers.field.name }, 'guess')
    // The unit of each row counts, not one for all rows.
    if (numbers.by !== 'person') numbers.unit = undefined
  }

  /** Gives a column the field whose name is similar to its header, unless another column has that. */
  assignGuess(column: FileColumn, values: readonly string[]): void {
    if (column.isIgnored) return
    const guess = this.#guess(column.header, values)
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
  #guess(header: string, values: readonly string[]): { field: Field; reversed?: boolean } | undefined {
    const usual = usualMeaning(header, this.#type)
    if (usual !== undefined) return usual
    const state = saysState(header, values) ? fieldNamed(this.#type, 'is_active') : undefined
    if (state !== undefined) return { field: state }
    const base = headerParts(header)?.base
    const ofBase = base === undefined ? undefined : this.#names.fieldOf(base)
    if (ofBase !== undefined) return { field: ofBase }
    if (base !== undefined) return this.#guess(base, values)
    const nearest = this.#names.nearestField(header, this.#takenFields)
    return nearest && { field: nearest }
  }
}

/**
 * Decides where each column goes: as the person says, else by its header, else as last time, else by a guess. Only the
 * person gives one field to two columns. Whether a column has values is not known yet.
 */
export function columnsOf(
  { header, samples, hidden }: ColumnFacts,
  type: RecordType,
  names: HeaderNames,
  mapping: Mapping,
  earlierTargets: Targets,
  meanings: ColumnMeanings,
): FileColumn[] {
  const targets = new ColumnTargets(type, names)
  const values = header.map((_, position) => valuesIn(samples, position))
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
      states: undefined,
      doubt: undefined,
      namedField: undefined,
      headerUnit: headerParts(name)?.unit,
      examples: values[position]?.slice(0, COLUMN_EXAMPLES) ?? [],
      hasValues: false,
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
  const isByMemory = ({ position, header: name }: FileColumn) =>
    earlierTargets[position] != null && names.fieldOf(name)?.name !== normalizedHeader(name)
  const assignByHeader = (ones: readonly FileColumn[]) => {
    for (const column of ones) targets.assignByHeader(column, values[column.position] ?? [])
  }
  assignByHeader(open().filter((column) => !isByMemory(column)))
  for (const column of open()) targets.assignFromMemory(column, earlierTargets[column.position])
  assignByHeader(open())
  for (const column of open()) targets.assignGuess(column, values[column.position] ?? [])
  for (const column of open()) targets.assignUnits(column, columns)
  for (const column of columns) column.meanings = meanings.get(column.position) ?? column.meanings
  return columns
}

/**
 * Whether a person should check where a column goes: its header does not say it, its values do not fit, or the
 * spreadsheet hides it. A guess whose values are to be explained is checked by that.
 */
export function isDoubtful({ by, hasValues, isHidden, isIgnored, doubt, states }: FileColumn): boolean {
  if (by === 'header') return hasValues && (isHidden || doubt !== undefined)
  if (by === 'guess' && states !== undefined) return false
  return by !== undefined || (hasValues && !isIgnored)
}

/** The key of a header row, the same for rows that differ in case or separators of words. */
export const headerKey = (header: readonly string[]): string => JSON.stringify(header.map(normalizedHeader))

/** Where the columns of a file went, to be remembered. */
export const targetsOf = (columns: readonly FileColumn[]): Targets =>
  columns.map(({ field, by, reversed, unit, unitOf, meanings, hasValues, isIgnored }) => {
    if ((by === 'header' && meanings === undefined) || isIgnored || (by === undefined && !hasValues)) return null
    return {
      field: field?.name ?? null,
      ...(reversed && { reversed: true as const }),
      ...(unit !== undefined && { unit }),
      ...(unitOf !== undefined && { unitOf }),
      ...(meanings !== undefined && { meanings }),
    }
  })
