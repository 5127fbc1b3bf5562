import { DEFAULT_EXAMPLES } from '#shared/limits'
import { type CheckedCode, hasWrongCheckDigit } from './check-digits'
import { contradictedName } from './problems'
import type { DerivedField, Field, ListField, RawRecord, RecordType } from './record-type'
import type { WarningCode } from './schema'
import { isBrokenText, isNullMarker, isUnsplitList } from './text-faults'
import { countText, namedValues, type Warning, type WarningExample } from './warnings'

/** Warnings of values that are valid but may not be meant, once per field (docs/contract.md#warnings). */

/** What a program makes of a long number, shortened: `1.23E+11`, `1.23e11`, `1E+11`. `1E11` is a code. */
const SHORTENED = /^-?\d+(?:E[+-]|[.,]\d+E[+-]?)\d+$/i

/** The form of spreadsheet programs: with a sign. */
const SIGNED = /E[+-]/i

export const isShortenedNumber = (text: string): boolean => SHORTENED.test(text)

/** What a spreadsheet program saves in a cell whose formula failed. */
const SPREADSHEET_ERRORS: readonly string[] = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!']

type ValueCode = Extract<
  WarningCode,
  'check_digit' | 'spreadsheet_damage' | 'null_marker' | 'unsplit_list' | 'broken_text' | 'strength_conflict'
>

/** A copy, because the text of a cell keeps the whole file in memory. */
const copyOf = (text: string): string => [...text].join('')

const HASH = 0x23
const LAST_DIGIT = 0x39

/** Whether the field holds ids or codes, which are no quantities. */
export const holdsCodes = ({ name, searchedAs }: Field): boolean =>
  searchedAs === 'code' || /(?:_|^ref)ids?$/.test(name)

interface WarnedField {
  name: string
  isId: boolean
  /** Of a list. */
  separator: ListField['separator'] | undefined
  checkDigit: CheckedCode | undefined
  holdsCodes: boolean
  /** Whether a cell is a list with `+` between its items. */
  isSplitAtPlus: boolean
}

interface WarnedValues {
  field: string
  code: ValueCode
  count: number
  examples: WarningExample[]
}

const WARNING_MESSAGES: Record<ValueCode, (values: string, count: number) => string> = {
  check_digit: (values, count) => `${countText(count, 'code')} with a wrong check digit, probably mistyped: ${values}`,
  spreadsheet_damage: (values, count) =>
    `${countText(count, 'value')} that a spreadsheet program has probably damaged: ${values}`,
  null_marker: (values, count) => {
    const stand = count === 1 ? 'stands' : 'stand'
    return `${countText(count, 'value')} that ${stand} for nothing in other programs, stored as text: ${values}`
  },
  unsplit_list: (values, count) =>
    `${countText(count, 'list')} of one item that looks like several, separated in another way: ${values}`,
  broken_text: (values, count) =>
    `${countText(count, 'value')} with broken letters, in a wrong encoding or with HTML entities: ${values}`,
  strength_conflict: (values, count) =>
    `${countText(count, 'strength')} that ${count === 1 ? 'contradicts' : 'contradict'} the name: ${values}`,
}

/** Values that are probably not meant (`text-faults.ts`), that a program has damaged, or with a wrong check digit. */
export class ValueWarnings {
  readonly #fields: readonly WarnedField[]
  readonly #format: 'json' | 'csv'
  readonly #byKey = new Map<string, WarnedValues>()

  constructor(type: RecordType, format: 'json' | 'csv') {
    this.#format = format
    this.#fields = type.fields
      .filter(({ kind }) => kind === 'string' || kind === 'list')
      .map((field) => ({
        name: field.name,
        isId: field.name === type.idField,
        separator: field.kind === 'list' ? field.separator : undefined,
        checkDigit: field.kind === 'string' ? field.checkDigit : undefined,
        holdsCodes: holdsCodes(field),
        isSplitAtPlus: format === 'csv' && field.kind === 'list' && field.separator === '+',
      }))
  }

  /** Checks a valid record. */
  check(record: RawRecord, index: number): void {
    for (const field of this.#fields) {
      const value = record[field.name]
      if (value === undefined || value === null) continue
      if (typeof value === 'string') this.#checkValue(field, value, index, true)
      else if (Array.isArray(value)) {
        for (const item of value) this.#checkValue(field, item, index, value.length === 1)
        const [item] = value
        if (value.length === 1 && field.separator !== undefined && isUnsplitList(item, field.separator))
          this.#add(field.name, 'unsplit_list', item, index)
        // `1.2E+10` became two items.
        if (field.isSplitAtPlus && value.length === 2) this.#checkValue(field, value.join('+'), index, false)
      }
    }
    const other = contradictedName(record)
    if (other !== undefined) this.#add('strength', 'strength_conflict', String(record.strength), index, other)
  }

  #checkValue(field: WarnedField, value: string, index: number, isWhole: boolean): void {
    const { name, checkDigit, holdsCodes } = field
    if (isNullMarker(value, field.isId)) this.#add(name, 'null_marker', value, index)
    if (isBrokenText(value)) this.#add(name, 'broken_text', value, index)
    // The first character of most values tells that they are not damaged.
    const first = value.charCodeAt(0)
    if (first > LAST_DIGIT) return
    if (checkDigit !== undefined && hasWrongCheckDigit(checkDigit, value)) this.#add(name, 'check_digit', value, index)
    const isError = first === HASH && this.#format === 'csv' && isWhole && SPREADSHEET_ERRORS.includes(value)
    if (isError || (holdsCodes && isShortenedNumber(value) && SIGNED.test(value)))
      this.#add(name, 'spreadsheet_damage', value, index)
  }

  #add(field: string, code: ValueCode, value: string, index: number, other?: string): void {
    const key = `${field} ${code}`
    const values = this.#byKey.get(key) ?? { field, code, count: 0, examples: [] }
    this.#byKey.set(key, values)
    values.count++
    if (values.examples.length < DEFAULT_EXAMPLES)
      values.examples.push({ index, value: copyOf(value), ...(other === undefined ? {} : { other: copyOf(other) }) })
  }

  get warnings(): Warning[] {
    return [...this.#byKey.values()].map(({ field, code, count, examples }) => ({
      field,
      msg: WARNING_MESSAGES[code](namedValues(examples, count), count),
      code,
      count,
      examples,
    }))
  }
}

/** Values that a warning lists with their counts, and values that its message names. */
const SHOWN_VALUES = 20
const NAMED_VALUES = 3

/** Different values that are remembered; the others only add to the number of records. */
const MAX_KNOWN_VALUES = 10_000

/** Counts the values from which a derived field does not follow, such as dosage forms that are not accepted. */
export class UnmatchedValues {
  readonly #field: DerivedField
  readonly #counts = new Map<string, number>()
  #records = 0

  constructor(field: DerivedField) {
    this.#field = field
  }

  add(record: RawRecord): void {
    const value = record[this.#field.from]
    if (typeof value !== 'string') return
    const count = this.#counts.get(value)
    if (count === undefined && this.#field.derive(value) !== null) return
    this.#records++
    if (count !== undefined) this.#counts.set(value, count + 1)
    // A copy, because the text of a cell keeps the whole file in memory.
    else if (this.#counts.size < MAX_KNOWN_VALUES) this.#counts.set([...value].join(''), 1)
  }

  /** One warning for all values; undefined when every value matched. */
  warning(): Warning | undefined {
    if (this.#records === 0) return undefined
    const values = Array.from(this.#counts, ([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
    const examples = values.slice(0, NAMED_VALUES).map(({ value, count }) => `"${value}" (${count})`)
    const rest = values.length > NAMED_VALUES ? ', …' : ''
    const total = `${countText(values.length, 'value')} in ${countText(this.#records, 'record')}`
    return {
      field: this.#field.from,
      msg: `${total} ${this.#field.unmatchedText}: ${examples.join(', ')}${rest}`,
      values: values.slice(0, SHOWN_VALUES),
    }
  }
}
