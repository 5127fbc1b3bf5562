import { cellReader } from '#shared/records/csv/cell'
import { compactHeader, type HeaderNames } from '#shared/records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { type ColumnValues, valueKey } from './column-values'
import type { FileColumn, Target } from './file-column'
import { saysState } from './states'
import { headerParts, isBareNumber, isUnit } from './units'
import { usualMeaning, withoutLanguage } from './usual-headers'
import { areFlags, contradict } from './value-doubts'
import { oppositeOf } from './yes-no'

/** Headers of a column that contains the units of another column. */
const UNIT_HEADER = /^(?:strength|dose|dosage)?(?:units?|uom|unitofmeasure)$/

/** Whether a field accepts any of some values. A free-text field accepts all. */
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

/** Maps each column of a file to a field. */
export class ColumnTargets {
  readonly #type: RecordType
  readonly #names: HeaderNames
  /** Whether the file has rows. Without rows, a column without values means nothing. */
  readonly #hasRows: boolean
  /** Fields that already have a column. */
  readonly #takenFields = new Set<Field>()

  constructor(type: RecordType, names: HeaderNames, hasRows: boolean) {
    this.#type = type
    this.#names = names
    this.#hasRows = hasRows
  }

  /** Maps a column to a field. A required field is not mapped to a column without values. */
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
   * Maps a column to the field that its header names, unless its values contradict.
   *
   * @param earlier the column's previous target. If the field is the same, the meanings of values are reused
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

  /** Maps a column to its previous field, unless another column has that field, or the values do not fit. */
  assignFromMemory(column: FileColumn, target: Target | undefined, values: readonly string[]): void {
    if (target === undefined || (target.field !== null && this.#isEmpty(column))) return
    const field = fieldNamed(this.#type, target.field)
    const isTaken = field !== undefined && this.#takenFields.has(field)
    if (field !== undefined && (isTaken || !takesAny(field, target, values)))
      column.misfit = { field: field.name, because: isTaken ? 'taken' : 'values', target }
    else this.assign(column, target, 'memory')
  }

  /** Appends the values of a units column to a column of numbers. */
  assignUnits(column: FileColumn, values: readonly string[], columns: readonly FileColumn[]): void {
    if (!UNIT_HEADER.test(compactHeader(column.header)) || !values.every(isUnit)) return
    const numbers = columns.find(({ field, examples }) => field?.name === 'strength' && examples.some(isBareNumber))
    if (numbers?.field === undefined || column.examples.length === 0) return
    this.assign(column, { field: null, unitOf: numbers.field.name }, 'guess')
    // Each row's own unit takes precedence over a common unit.
    if (numbers.by !== 'person') numbers.unit = undefined
  }

  /**
   * Maps a column to the field that its header probably means, unless another column has that field or the values
   * contradict.
   *
   * @param isWeak whether to accept vague headers, too
   */
  assignGuess(column: FileColumn, counted: ColumnValues, isWeak: boolean): void {
    if (column.isIgnored) return
    const values = counted.values.map(({ value }) => value)
    if (this.#isEmpty(column)) {
      const field = this.#guess(column.header, values, isWeak)?.field
      if (field?.required) column.emptyField = field
      return
    }
    const guess = this.#guess(column.header, values, isWeak)
    if (guess === undefined || this.#takenFields.has(guess.field)) return
    if (contradict(counted, guess.field, this.#type)) return
    const { field, reversed: isReversed } = guess
    const unit = field.kind === 'string' ? column.headerUnit : undefined
    const target = {
      field: field.name,
      ...(unit !== undefined && { unit }),
      ...(isReversed && { reversed: true as const }),
    }
    this.#assignNamed(column, target, 'guess', field, values)
  }

  /** The probable field of a column without a known header; undefined if no field is similar. */
  #guess(header: string, values: readonly string[], isWeak: boolean): { field: Field; reversed?: boolean } | undefined {
    const usual = usualMeaning(header, this.#type, isWeak)
    if (usual !== undefined) return usual
    const state = saysState(header, values, this.#type) ? fieldNamed(this.#type, 'is_active') : undefined
    if (state !== undefined) return { field: state }
    const base = withoutLanguage(header) ?? headerParts(header)?.base
    const ofBase = base === undefined ? undefined : this.#names.fieldOf(base)
    if (ofBase !== undefined) return { field: ofBase }
    if (base !== undefined) return this.#guess(base, values, isWeak)
    const nearest = this.#names.nearestField(header, this.#takenFields)
    return nearest && { field: nearest }
  }
}
