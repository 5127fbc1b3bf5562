import { cellReader } from '#shared/records/csv/cell'
import { type HeaderNames, normalizedHeader } from '#shared/records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { headerParts, isBareNumber, isUnit } from './units'
import { oppositeOf } from './yes-no'

/** Headers that people use and the service does not know, with the field that they mostly mean. */
const USUAL_HEADERS: Readonly<Record<string, string>> = {
  dose: 'strength',
  dosage: 'strength',
  potency: 'strength',
  brand: 'name',
  brand_name: 'name',
  product: 'name',
  product_name: 'name',
  generic: 'generic_name',
  molecule: 'generic_name',
  composition: 'generic_list',
  mfr: 'manufacturer',
  make: 'manufacturer',
  marketer: 'manufacturer',
  schedule: 'schedule_code',
  sample: 'specimen',
  sample_type: 'specimen',
  test_kind: 'kind',
  department: 'discipline',
  snomed_code: 'snomed_id',
  icd_code: 'icd10',
}

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
}

/** Where the person wants columns to go, by their positions. */
export type Mapping = ReadonlyMap<number, Target>

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

/** The first different values in a column. */
function examplesIn(rows: readonly (readonly string[])[], position: number): string[] {
  const values = new Set<string>()
  for (const cells of rows) {
    const value = (cells[position] ?? '').trim()
    if (value !== '') values.add(value)
    if (values.size === COLUMN_EXAMPLES) break
  }
  return [...values]
}

/** What is known of a file before its columns are. */
interface ColumnFacts {
  header: readonly string[]
  /** Some rows below the header row, for examples. */
  samples: readonly (readonly string[])[]
  hidden: readonly number[]
}

/** Headers of a column that has the units of another one. */
const UNIT_HEADER = /^(?:(?:strength|dose|dosage)_)?(?:units?|uom|unit_of_measure)$/

/** Whether a field takes any of some values. A field of free text takes all. */
function takesAny(field: Field, { reversed: isReversed }: Target, values: readonly string[]): boolean {
  if (values.length === 0 || (field.kind !== 'boolean' && field.kind !== 'enum')) return true
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

  assign(column: FileColumn, { field: name, reversed, unit, unitOf }: Target, by: FileColumn['by']): void {
    const field = fieldNamed(this.#type, name)
    Object.assign(column, { field, by, reversed: reversed === true, unit, unitOf })
    if (field !== undefined) this.#takenFields.add(field)
  }

  /** Gives a column the field that its header names. */
  assignByHeader(column: FileColumn): void {
    const field = this.#names.fieldOf(column.header)
    if (field !== undefined) this.assign(column, { field: field.name }, 'header')
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
    if (!UNIT_HEADER.test(normalizedHeader(column.header)) || !column.examples.every(isUnit)) return
    const numbers = columns.find(({ field, examples }) => field?.name === 'strength' && examples.some(isBareNumber))
    if (numbers?.field === undefined || column.examples.length === 0) return
    this.assign(column, { field: null, unitOf: numbers.field.name }, 'guess')
    // The unit of each row counts, not one for all rows.
    if (numbers.by !== 'person') numbers.unit = undefined
  }

  /** Gives a column the field whose name is similar to its header, unless another column has that. */
  assignGuess(column: FileColumn): void {
    if (column.isIgnored) return
    const guess = this.#guess(column.header)
    if (guess === undefined || this.#takenFields.has(guess)) return
    const unit = guess.kind === 'string' ? column.headerUnit : undefined
    this.assign(column, { field: guess.name, ...(unit !== undefined && { unit }) }, 'guess')
  }

  /** What a column without a known header may be; undefined if nothing is near. */
  #guess(header: string): Field | undefined {
    const headerName = normalizedHeader(header)
    const usual = Object.hasOwn(USUAL_HEADERS, headerName)
      ? fieldNamed(this.#type, USUAL_HEADERS[headerName])
      : undefined
    if (usual !== undefined) return usual
    const base = headerParts(header)?.base
    if (base !== undefined) return this.#names.fieldOf(base) ?? this.#guess(base)
    return this.#names.nearestField(header, this.#takenFields)
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
): FileColumn[] {
  const targets = new ColumnTargets(type, names)
  const columns = header.map(
    (name, position): FileColumn => ({
      position,
      header: name,
      field: undefined,
      by: undefined,
      reversed: false,
      unit: undefined,
      unitOf: undefined,
      headerUnit: headerParts(name)?.unit,
      examples: examplesIn(samples, position),
      hasValues: false,
      isHidden: hidden.includes(position),
      isIgnored: names.isIgnored(name),
      misfit: undefined,
    }),
  )
  for (const column of columns) {
    const choice = mapping.get(column.position)
    if (choice === undefined) targets.assignByHeader(column)
    else targets.assign(column, choice, 'person')
  }
  const open = () => columns.filter(({ by }) => by === undefined)
  for (const column of open()) targets.assignFromMemory(column, earlierTargets[column.position])
  for (const column of open()) targets.assignGuess(column)
  for (const column of open()) targets.assignUnits(column, columns)
  return columns
}

/** Whether a person should check where a column goes: its header does not say it, or the spreadsheet hides it. */
export function isDoubtful({ by, hasValues, isHidden, isIgnored }: FileColumn): boolean {
  if (by === 'header') return isHidden && hasValues
  return by !== undefined || (hasValues && !isIgnored)
}

/** The key of a header row, the same for rows that differ in case or separators of words. */
export const headerKey = (header: readonly string[]): string => JSON.stringify(header.map(normalizedHeader))

/** Where the columns of a file went, to be remembered. */
export const targetsOf = (columns: readonly FileColumn[]): Targets =>
  columns.map(({ field, by, reversed, unit, unitOf, hasValues, isIgnored }) => {
    if (by === 'header' || isIgnored || (by === undefined && !hasValues)) return null
    return {
      field: field?.name ?? null,
      ...(reversed && { reversed: true as const }),
      ...(unit !== undefined && { unit }),
      ...(unitOf !== undefined && { unitOf }),
    }
  })
