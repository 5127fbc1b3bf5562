import { type CheckedCode, hasWrongCheckDigit } from './check-digits'
import type { Field, RawRecord, RecordType } from './record-type'
import { counted, DEFAULT_EXAMPLES, namedValues, type Warning, type WarningExample } from './warnings'

/** What a spreadsheet program leaves behind in a cell when it changes or fails to compute a value. */

/** A long number, shortened: `1.23E+11`. */
const SHORTENED = /^-?\d+(?:[.,]\d+)?E[+-]\d+$/i

export const isShortenedNumber = (text: string): boolean => SHORTENED.test(text)

/** What it saves for a cell whose formula failed. */
const SPREADSHEET_ERRORS: readonly string[] = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!']

/** Warnings of values that are valid but probably damaged, once per field (docs/contract.md#warnings). */

type ValueCode = 'check_digit' | 'spreadsheet_damage'

/** Whether a file may have a cell with such an error. Nearly none has, and then its cells are not looked at. */
export const mayHoldErrors = (text: string): boolean =>
  text.includes('#') && SPREADSHEET_ERRORS.some((error) => text.includes(error))

const HASH = 0x23
const LAST_DIGIT = 0x39

/** Whether the field holds ids or codes, which are no quantities. */
export const holdsCodes = ({ name, searched }: Field): boolean => searched === 'code' || /_ids?$/.test(name)

interface WarnedField {
  name: string
  checkDigit: CheckedCode | undefined
  holdsCodes: boolean
}

interface FoundValues {
  count: number
  examples: WarningExample[]
}

const WARNING_MESSAGES: Record<ValueCode, (values: string, count: number) => string> = {
  check_digit: (values, count) => `${counted(count, 'code')} with a wrong check digit, probably mistyped: ${values}`,
  spreadsheet_damage: (values, count) =>
    `${counted(count, 'value')} that a spreadsheet program has probably damaged: ${values}`,
}

export class ValueWarnings {
  readonly #fields: readonly WarnedField[]
  readonly #findsErrors: boolean
  readonly #found = new Map<string, { field: string; code: ValueCode } & FoundValues>()

  /** @param findsErrors whether errors of spreadsheets are looked for, in every field */
  constructor(type: RecordType, findsErrors: boolean) {
    this.#findsErrors = findsErrors
    this.#fields = type.fields
      .filter(({ kind }) => kind === 'string' || kind === 'list')
      .map((field) => ({
        name: field.name,
        checkDigit: field.kind === 'string' ? field.checkDigit : undefined,
        holdsCodes: holdsCodes(field),
      }))
      .filter(({ checkDigit, holdsCodes }) => findsErrors || checkDigit !== undefined || holdsCodes)
  }

  /** Takes each valid record. */
  note(record: RawRecord, index: number): void {
    for (const field of this.#fields) {
      const value = record[field.name]
      if (value === undefined || value === null) continue
      if (typeof value === 'string') this.#noteValue(field, value, index, true)
      else if (Array.isArray(value)) {
        for (const item of value) this.#noteValue(field, item, index, value.length === 1)
      }
    }
  }

  /** Of most values, the first character tells that they are not damaged. */
  #noteValue(field: WarnedField, value: string, index: number, isWhole: boolean): void {
    const first = value.charCodeAt(0)
    if (first > LAST_DIGIT) return
    const { name, checkDigit, holdsCodes } = field
    if (checkDigit !== undefined && hasWrongCheckDigit(checkDigit, value)) this.#add(name, 'check_digit', value, index)
    const isError = first === HASH && this.#findsErrors && isWhole && SPREADSHEET_ERRORS.includes(value)
    if (isError || (holdsCodes && isShortenedNumber(value))) this.#add(name, 'spreadsheet_damage', value, index)
  }

  #add(field: string, code: ValueCode, value: string, index: number): void {
    const key = `${field} ${code}`
    const found = this.#found.get(key) ?? { field, code, count: 0, examples: [] }
    this.#found.set(key, found)
    found.count++
    // A copy, because the text of a cell keeps the whole file in memory.
    if (found.examples.length < DEFAULT_EXAMPLES) found.examples.push({ index, value: [...value].join('') })
  }

  get warnings(): Warning[] {
    return [...this.#found.values()].map(({ field, code, count, examples }) => ({
      field,
      msg: WARNING_MESSAGES[code](namedValues(examples, count), count),
      code,
      count,
      examples,
    }))
  }
}
