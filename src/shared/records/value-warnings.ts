import { DEFAULT_EXAMPLES } from '#shared/limits'
import { mixesLookalikes } from '#shared/text/lookalikes'
import { type CheckedCode, hasWrongCheckDigit } from './check-digits'
import { contradictedName } from './problems'
import type { DerivedField, Field, ListField, RawRecord, RecordType } from './record-type'
import type { ReadTexts } from './search/read-texts'
import { isFormulaError, isShortenedNumber, isWrittenDate, KEPT_BY_APOSTROPHE } from './spreadsheet-damage'
import { isBrokenText, isNullMarker, isUnsplitList, sodiumIn } from './text-faults'
import type { WarningCode } from './warning-codes'
import { countText, namedValues, type Warning, type WarningExample } from './warnings'

/** Warnings about valid values that may be wrong, one per field (docs/contract.md#warnings). */

/** In the form of spreadsheet programs, with a sign. */
const SIGNED = /E[+-]/i

type ValueCode = Extract<
  WarningCode,
  | 'check_digit'
  | 'spreadsheet_damage'
  | 'null_marker'
  | 'unsplit_list'
  | 'broken_text'
  | 'mixed_scripts'
  | 'strength_conflict'
>

/** A copy, because the text of a cell keeps the whole file in memory. */
const copyOf = (text: string): string => [...text].join('')

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII but `&` is meant.
const IS_PLAIN = /^[\x00-%'-\x7f]*$/

/** First characters of failed formulas. */
const FIRST_OF_FAILED = '#EFL'

/** Whether the field contains IDs or codes, which are not quantities. */
export const holdsCodes = ({ name, searchedAs }: Field): boolean =>
  searchedAs === 'code' || /(?:_|^ref)ids?$/.test(name)

interface WarnedField {
  name: string
  /** Of a list. */
  separator: ListField['separator'] | undefined
  checkDigit: CheckedCode | undefined
  holdsCodes: boolean
  /** See `sodiumIn`. */
  sodium: RegExp | undefined
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
  mixed_scripts: (values, count) =>
    `${countText(count, 'value')} with letters of another script that look alike, which no search finds: ${values}`,
  broken_text: (values, count) =>
    `${countText(count, 'value')} with broken letters, in a wrong encoding or with HTML entities: ${values}`,
  strength_conflict: (values, count) =>
    `${countText(count, 'strength')} that ${count === 1 ? 'contradicts' : 'contradict'} the name: ${values}`,
}

/** Finds values that are probably not meant (`text-faults.ts`), damaged by a program, or have a wrong check digit. */
export class ValueWarnings {
  readonly #fields: readonly WarnedField[]
  readonly #format: 'json' | 'csv'
  readonly #texts: ReadTexts
  readonly #byKey = new Map<string, WarnedValues>()

  constructor(type: RecordType, format: 'json' | 'csv', texts: ReadTexts) {
    this.#format = format
    this.#texts = texts
    this.#fields = type.fields
      .filter(({ kind }) => kind === 'string' || kind === 'list')
      .map((field) => ({
        name: field.name,
        separator: field.kind === 'list' ? field.separator : undefined,
        checkDigit: field.kind === 'string' ? field.checkDigit : undefined,
        holdsCodes: holdsCodes(field),
        sodium: sodiumIn(field, type.idField),
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
        // The separator `+` has split `1.2E+10` into two items.
        if (field.isSplitAtPlus && value.length === 2) this.#checkValue(field, value.join('+'), index, false)
      }
    }
    const other = contradictedName(record, this.#texts)
    if (other !== undefined) this.#add('strength', 'strength_conflict', String(record.strength), index, other)
  }

  #checkValue(field: WarnedField, value: string, index: number, isWhole: boolean): void {
    const { name, checkDigit, holdsCodes, sodium } = field
    if (isNullMarker(value, sodium)) this.#add(name, 'null_marker', value, index)
    if (!IS_PLAIN.test(value)) {
      if (isBrokenText(value)) this.#add(name, 'broken_text', value, index)
      if (mixesLookalikes(value)) this.#add(name, 'mixed_scripts', value, index)
    }
    if (this.#isDamaged(value, holdsCodes, isWhole)) this.#add(name, 'spreadsheet_damage', value, index)
    if (checkDigit !== undefined && hasWrongCheckDigit(checkDigit, value)) this.#add(name, 'check_digit', value, index)
  }

  #isDamaged(value: string, holdsCodes: boolean, isWhole: boolean): boolean {
    if (holdsCodes && (isWrittenDate(value) || KEPT_BY_APOSTROPHE.test(value))) return true
    if (holdsCodes && isShortenedNumber(value) && SIGNED.test(value)) return true
    return this.#format === 'csv' && isWhole && FIRST_OF_FAILED.includes(value.charAt(0)) && isFormulaError(value)
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

/** Most values that a warning lists with their counts, and that its message names. */
const SHOWN_VALUES = 20
const NAMED_VALUES = 3

/** Most distinct values that are kept. Others only add to the number of records. */
const MAX_KNOWN_VALUES = 10_000

/** Counts values from which a derived field cannot be derived, such as unknown dosage forms. */
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

  /** One warning for all values; undefined if every value matched. */
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
