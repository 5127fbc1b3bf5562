import { shorten } from '#shared/errors/echoed-value'
import { type FieldError, fieldError } from '#shared/errors/errors'
import { isJsonObject } from '#shared/json/exact-numbers'
import {
  MAX_RECORD_CHARACTERS,
  MAX_REQUEST_SEARCH_CHARACTERS,
  MAX_SEARCH_TEXT_CHARACTERS,
  MAX_WARNINGS,
} from '#shared/limits'
import { compactHeader, ignoredState } from './csv/header'
import { saysUse } from './csv/state-headers'
import type { RawRecord, RecordType } from './record-type'
import { type Failure, RecordRules } from './rules'
import { codeTextMaker, SearchTexts } from './search/search-text'
import type { RecordSource, SourceRecord } from './source'
import { storedForm, writtenForm } from './stored-form'
import { UnmatchedValues, ValueWarnings } from './value-warnings'
import type { Warning } from './warnings'

/** Work on a record besides that on its text, and on each of its errors. */
const RECORD_UNITS = 150
const ERROR_UNITS = 100

/** Work on a character of a folded text. */
const FOLDING_UNITS = 2

/** A valid record, ready for the database. */
export interface CheckedRecord {
  id: string
  isActive: boolean
  /** See `writtenForm`. */
  json: string
}

/** For a name in the body that nothing reads. Parameters of the endpoint are refused there. */
const NAME_BESIDE = 'sent beside the records, ignored; parameters are sent in the address'

/** A record without failures has no name if the column of names is not read. */
const isValid = (record: RawRecord, failures: readonly Failure[]): record is RawRecord & { name: string } =>
  failures.length === 0 && typeof record.name === 'string'

/** One error per failing field, with the values as the caller wrote them. */
function errorsOf(
  { index, sentValue, errors: readErrors }: SourceRecord,
  idField: string,
  failures: readonly Failure[],
  firstIndex: number | null,
): FieldError[] {
  const errors = [...readErrors]
  const failedId = failures.some(({ field }) => field === idField)
  if (firstIndex !== null && !failedId) {
    const msg = `occurs already at index ${firstIndex}; send each id once`
    errors.push(fieldError(index, idField, 'duplicate_id', msg, sentValue(idField), { first_index: firstIndex }))
  }
  for (const { field, code, msg, numbers } of failures)
    errors.push(fieldError(index, field, code, msg, sentValue(field), numbers))
  return errors
}

const tooLarge = ({ index, sentValue }: SourceRecord, field: string, msg: string, limit: number): FieldError[] => [
  fieldError(index, field, 'too_large', msg, sentValue(field), { limit }),
]

/**
 * Checks the records of one request in their order: the rules of the type, repeated ids, sizes. Makes the written form
 * of valid ones. Keeps only the ids and the warnings so far.
 */
export class RecordCheck {
  readonly #type: RecordType
  readonly #rules: RecordRules
  readonly #source: RecordSource
  readonly #searchTexts: SearchTexts
  readonly #codesOf: (record: RawRecord) => string
  readonly #indexById = new Map<string, number>()
  /** Characters of the search texts and of the codes so far. */
  #searchCharacters = 0
  /** Characters of the present record after folding, which can make many of one. */
  #foldedCharacters = 0
  readonly #unknown = new Set<string>()
  /** How often a field was ignored beside those. */
  #unlisted = 0
  /** Whether a record has said whether it is in use. */
  #hasState = false
  readonly #misplaced = new Map<string, Warning>()
  readonly #unmatched: readonly UnmatchedValues[]
  readonly #values: ValueWarnings

  constructor(type: RecordType, source: RecordSource) {
    this.#type = type
    this.#rules = new RecordRules(type)
    this.#searchTexts = new SearchTexts(type)
    this.#codesOf = codeTextMaker(type)
    this.#source = source
    this.#unmatched = type.derived.map((field) => new UnmatchedValues(field))
    this.#values = new ValueWarnings(type, source.format)
  }

  /** The ids of a valid request with the numbers of their records, in its order. Complete when all are checked. */
  get ids(): ReadonlyMap<string, number> {
    return this.#indexById
  }

  /** Complete when all records are checked. */
  get warnings(): Warning[] {
    return [
      ...this.#ignored(),
      ...this.#misplaced.values(),
      ...this.#unmatched.flatMap((values) => values.warning() ?? []),
      ...this.#values.warnings,
    ]
  }

  /** Fields and columns that were ignored: the first by name, the rest as a number. */
  #ignored(): Warning[] {
    const { warnings, namesBeside = [] } = this.#source
    const all = [
      ...namesBeside.map((name) => ({ field: shorten(name), msg: NAME_BESIDE })),
      ...warnings,
      ...[...this.#unknown].map((name) =>
        !this.#hasState && saysUse(compactHeader(name))
          ? ignoredState(name, 'field')
          : { field: shorten(name), msg: 'unknown field, ignored' },
      ),
    ]
    const rest = Math.max(0, all.length - MAX_WARNINGS) + this.#unlisted
    const restWarning = { field: '*', msg: `ignored ${rest} times: unknown fields or columns beside these` }
    return [...all.slice(0, MAX_WARNINGS), ...(rest > 0 ? [restWarning] : [])]
  }

  /** The checked form of the next record, or its errors, and the work that it has taken (`Work`). */
  check(source: SourceRecord): { result: CheckedRecord | FieldError[]; units: number } {
    this.#foldedCharacters = 0
    const result = this.#check(source)
    const resultUnits = 'json' in result ? result.json.length : result.length * ERROR_UNITS
    return { result, units: RECORD_UNITS + source.units + resultUnits + FOLDING_UNITS * this.#foldedCharacters }
  }

  #check(source: SourceRecord): CheckedRecord | FieldError[] {
    const { index, record, refusal } = source
    if (refusal !== undefined) return [refusal]
    if (!isJsonObject(record))
      return [fieldError(index, null, 'wrong_type', 'must be an object with the fields of one record', record)]
    const failures = this.#rules.check(record, this.#source.unreadFields)
    const firstIndex = this.#repetition(record[this.#type.idField], index)
    if (!isValid(record, failures) || firstIndex !== null || source.errors.length > 0) {
      return errorsOf(source, this.#type.idField, failures, firstIndex)
    }
    // A file with an error is not written, and a record with unread fields cannot be completed.
    if (this.#source.unreadFields.size > 0) return []
    // A cell of a CSV file that is blank has no value already.
    if (this.#source.format === 'json') this.#rules.removeBlanks(record)
    this.#warn(record)
    for (const values of this.#unmatched) values.add(record)
    this.#values.check(record, index)
    const { text, sentText, foldedCharacters } = this.#searchTexts.of(record)
    this.#foldedCharacters = foldedCharacters
    if (foldedCharacters > MAX_SEARCH_TEXT_CHARACTERS) {
      const msg =
        `must have, together with the names, at most ${MAX_SEARCH_TEXT_CHARACTERS} characters in the form ` +
        'that search compares'
      return tooLarge(source, 'aliases', msg, MAX_SEARCH_TEXT_CHARACTERS)
    }
    const id = String(record[this.#type.idField])
    const codes = this.#codesOf(record)
    const json = writtenForm(this.#type, record, sentText, codes)
    const searchCharacters = text.length + codes.length
    // The stored texts count, which are shorter than their JSON.
    if (
      json.length + text.length - sentText.length > MAX_RECORD_CHARACTERS &&
      storedForm(this.#type, record).length + searchCharacters > MAX_RECORD_CHARACTERS
    ) {
      const msg = `the record must have at most ${MAX_RECORD_CHARACTERS} characters in all of its fields together`
      return [fieldError(index, null, 'too_large', msg, id, { limit: MAX_RECORD_CHARACTERS })]
    }
    this.#searchCharacters += searchCharacters
    if (this.#searchCharacters <= MAX_REQUEST_SEARCH_CHARACTERS)
      return { id, isActive: record.is_active !== false, json }
    // Only the first record over the limit has this error. The others are checked, but nothing of them is kept.
    if (this.#searchCharacters - searchCharacters > MAX_REQUEST_SEARCH_CHARACTERS) return []
    const msg =
      `has, with the records before it, more than ${MAX_REQUEST_SEARCH_CHARACTERS} characters in names, ` +
      'aliases, ids and codes, as search compares them; send fewer records at a time'
    return tooLarge(source, 'name', msg, MAX_REQUEST_SEARCH_CHARACTERS)
  }

  /** The index of an earlier record with this id; null if there is none. */
  #repetition(id: unknown, index: number): number | null {
    if (typeof id !== 'string') return null
    const first = this.#indexById.get(id)
    if (first !== undefined) return first
    this.#indexById.set(id, index)
    return null
  }

  #warn(record: RawRecord): void {
    if (this.#source.format === 'json') {
      this.#hasState ||= record.is_active !== undefined
      for (const field of this.#rules.unknownFields(record)) {
        if (this.#unknown.size < MAX_WARNINGS) this.#unknown.add(field)
        else if (!this.#unknown.has(field)) this.#unlisted++
      }
    }
    for (const { field, when } of this.#rules.outOfPlace(record)) {
      if (this.#misplaced.has(field)) continue
      const msg = `is for ${when.field} ${when.equals} only; it is stored all the same`
      this.#misplaced.set(field, { field, msg })
    }
  }
}
