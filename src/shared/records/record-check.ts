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
import { ReadTexts } from './search/read-texts'
import { codeTextMaker, SearchTexts } from './search/search-text'
import { NO_ERRORS, type RecordSource, type SourceRecord } from './source'
import { storedForm, writtenForm } from './stored-form'
import { UnmatchedValues, ValueWarnings } from './value-warnings'
import type { Warning } from './warnings'

/** Work per record, in addition to its text, and per error. */
const RECORD_UNITS = 150
const ERROR_UNITS = 100

/** Work per character of a folded text. */
const FOLDING_UNITS = 2

/** A valid record. */
export interface CheckedRecord {
  id: string
  /** Position in the request, from 0. */
  position: number
  isActive: boolean
  /** Ready for the database (`writtenForm`); of a record that is compared first, its `storedForm`. */
  json: string
}

/** Records that are compared with the stored ones before their search texts are derived. */
interface Comparison {
  /** The fields that keep their stored values, which the rules cannot check yet. */
  keptFields: ReadonlySet<string>
}

/** A record of a request that is completed after it was checked. */
interface CompletedRecord {
  record: RawRecord
  index: number
  position: number
}

/** The message for an unknown name in the body. The endpoint itself rejects unknown parameters. */
const NAME_BESIDE = 'sent next to the records and ignored; send parameters in the URL'

/** If the name column is not read, even a record without failures has no name. */
const hasName = (record: RawRecord): record is RawRecord & { name: string } => typeof record.name === 'string'

/** One error per failing field, with the original values. */
function errorsOf(
  { index, sentValue, errors: readErrors }: Pick<SourceRecord, 'index' | 'sentValue' | 'errors'>,
  idField: string,
  failures: readonly Failure[],
  firstIndex: number | null,
): FieldError[] {
  const errors = [...readErrors]
  const failedId = failures.some(({ field }) => field === idField)
  if (firstIndex !== null && !failedId) {
    const msg = `is a duplicate of the record at index ${firstIndex}; send each ID once`
    errors.push(fieldError(index, idField, 'duplicate_id', msg, sentValue(idField), { first_index: firstIndex }))
  }
  for (const { field, code, msg, numbers } of failures)
    errors.push(fieldError(index, field, code, msg, sentValue(field), numbers))
  return errors
}

const tooLarge = (
  { index, sentValue }: Pick<SourceRecord, 'index' | 'sentValue'>,
  field: string,
  msg: string,
  limit: number,
): FieldError[] => [fieldError(index, field, 'too_large', msg, sentValue(field), { limit })]

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
  /** By position: whether the record itself is marked as active. */
  readonly #saysActive: boolean[] = []
  /** Characters of the search texts and of the codes so far. */
  #searchCharacters = 0
  #usedSlots = 0
  /** Characters of the current record after folding, which can turn one character into many. */
  #foldedCharacters = 0
  readonly #unknown = new Set<string>()
  /** Number of further ignored fields. */
  #unlisted = 0
  /** Whether any record contains its state. */
  #hasState = false
  readonly #misplaced = new Map<string, Warning>()
  readonly #unmatched: readonly UnmatchedValues[]
  readonly #values: ValueWarnings

  /** How the next records are compared before they are derived; undefined: they are not. */
  comparison: Comparison | undefined
  /** Warnings are about sent values: only some of the records that keep values are checked together with them. */
  readonly #notWarnedOf: ReadonlySet<string>

  constructor(type: RecordType, source: RecordSource, comparison?: Comparison) {
    this.comparison = comparison
    this.#notWarnedOf = comparison?.keptFields ?? new Set()
    this.#type = type
    this.#rules = new RecordRules(type)
    const texts = new ReadTexts()
    this.#searchTexts = new SearchTexts(type, texts)
    this.#codesOf = codeTextMaker(type)
    this.#source = source
    this.#unmatched = type.derived.map((field) => new UnmatchedValues(field))
    this.#values = new ValueWarnings(type, source.format, texts)
  }

  /** The IDs of a valid request with the numbers of their records, in order. Complete once all are checked. */
  get ids(): ReadonlyMap<string, number> {
    return this.#indexById
  }

  /** Slots that have a value in any record completed so far, as bits. */
  get usedSlots(): number {
    return this.#usedSlots
  }

  /** Begins to complete records, perhaps once more: those that were completed before do not count. */
  beginCompleting(): void {
    this.#searchCharacters = 0
  }

  /** Tells of a position whether its record says that it is active. Without that it is active, too. Keeps no record. */
  get saysActive(): (position: number) => boolean {
    const said = this.#saysActive
    return (position) => said[position] === true
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

  /** Ignored fields and columns: the first by name, the rest as a count. */
  #ignored(): Warning[] {
    const { warnings, propertiesBeside = [] } = this.#source
    const all = [
      ...propertiesBeside.map(([name]) => ({ field: shorten(name), msg: NAME_BESIDE })),
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

  /** The checked form of the next record, or its errors, and the work spent (`Work`). */
  check(source: SourceRecord): { result: CheckedRecord | FieldError[]; units: number } {
    this.#foldedCharacters = 0
    const result = this.#check(source)
    return { result, units: this.#unitsOf(result, source.units) }
  }

  #unitsOf(result: CheckedRecord | FieldError[], readingUnits: number): number {
    const resultUnits = 'json' in result ? result.json.length : result.length * ERROR_UNITS
    return RECORD_UNITS + readingUnits + resultUnits + FOLDING_UNITS * this.#foldedCharacters
  }

  #check(source: SourceRecord): CheckedRecord | FieldError[] {
    const { index, record, refusal } = source
    if (refusal !== undefined) return [refusal]
    if (!isJsonObject(record))
      return [fieldError(index, null, 'wrong_type', 'must be an object with the fields of one record', record)]
    const { unreadFields } = this.#source
    const failures = this.#rules.check(record, this.comparison?.keptFields ?? unreadFields)
    const firstIndex = this.#repetition(record[this.#type.idField], index)
    if (failures.length > 0 || firstIndex !== null || source.errors.length > 0) {
      return errorsOf(source, this.#type.idField, failures, firstIndex)
    }
    // A file with an error is not written, and a record with unread fields cannot be completed.
    if (unreadFields.size > 0) return []
    // A blank CSV cell already has no value.
    if (this.#source.format === 'json') this.#rules.removeBlanks(record)
    const position = this.#saysActive.push(record.is_active === true) - 1
    this.#warn(this.comparison === undefined ? this.#sentFields(record) : record, index)
    if (this.comparison === undefined) return this.#derive({ record, index, position }, source.sentValue)
    const id = String(record[this.#type.idField])
    return { id, position, isActive: record.is_active !== false, json: storedForm(this.#type, record) }
  }

  /**
   * The written form of a record that was compared, or what is wrong with it.
   *
   * @param hasStored whether it may have stored values, so that the rules look at it again
   */
  complete(completed: CompletedRecord, hasStored: boolean): { result: CheckedRecord | FieldError[]; units: number } {
    const { record, index } = completed
    const sentValue = (field: string): unknown => record[field]
    this.#foldedCharacters = 0
    const failures = hasStored ? this.#rules.check(record) : []
    const result =
      failures.length > 0
        ? errorsOf({ index, sentValue, errors: NO_ERRORS }, this.#type.idField, failures, null)
        : this.#derive(completed, sentValue)
    return { result, units: this.#unitsOf(result, 0) }
  }

  #derive(
    { record, index, position }: CompletedRecord,
    sentValue: SourceRecord['sentValue'],
  ): CheckedRecord | FieldError[] {
    if (!hasName(record)) return []
    const { text, foldedCharacters } = this.#searchTexts.of(record)
    this.#foldedCharacters = foldedCharacters
    if (foldedCharacters > MAX_SEARCH_TEXT_CHARACTERS) {
      const msg =
        `must have, together with the names, at most ${MAX_SEARCH_TEXT_CHARACTERS} characters in the form ` +
        'that search compares'
      return tooLarge({ index, sentValue }, 'aliases', msg, MAX_SEARCH_TEXT_CHARACTERS)
    }
    const id = String(record[this.#type.idField])
    const codes = this.#codesOf(record)
    const { json, filled } = writtenForm(this.#type, record, text, codes, position)
    this.#usedSlots |= filled
    const searchCharacters = text.length + codes.length
    // Counts the stored texts, which are shorter than their JSON.
    if (
      json.length > MAX_RECORD_CHARACTERS &&
      storedForm(this.#type, record).length + searchCharacters > MAX_RECORD_CHARACTERS
    ) {
      const msg = `the record must have at most ${MAX_RECORD_CHARACTERS} characters in all of its fields together`
      return [fieldError(index, null, 'too_large', msg, id, { limit: MAX_RECORD_CHARACTERS })]
    }
    this.#searchCharacters += searchCharacters
    if (this.#searchCharacters <= MAX_REQUEST_SEARCH_CHARACTERS)
      return { id, position, isActive: record.is_active !== false, json }
    // Only the first record over the limit gets this error. Later records are checked but not kept.
    if (this.#searchCharacters - searchCharacters > MAX_REQUEST_SEARCH_CHARACTERS) return []
    const msg =
      `has, with the records before it, more than ${MAX_REQUEST_SEARCH_CHARACTERS} characters in names, aliases, ` +
      'IDs and codes, as search compares them; send fewer records at a time'
    return tooLarge({ index, sentValue }, 'name', msg, MAX_REQUEST_SEARCH_CHARACTERS)
  }

  /** The index of an earlier record with this id; null if there is none. */
  #repetition(id: unknown, index: number): number | null {
    if (typeof id !== 'string') return null
    const first = this.#indexById.get(id)
    // A record checked again with its stored values was already counted.
    if (first !== undefined) return first === index ? null : first
    this.#indexById.set(id, index)
    return null
  }

  /** The fields of a record that has its stored values already. */
  #sentFields(record: RawRecord): RawRecord {
    if (this.#notWarnedOf.size === 0) return record
    return Object.fromEntries(Object.entries(record).filter(([field]) => !this.#notWarnedOf.has(field)))
  }

  #warn(record: RawRecord, index: number): void {
    for (const values of this.#unmatched) values.add(record)
    this.#values.check(record, index)
    if (this.#source.format === 'json') {
      this.#hasState ||= record.is_active !== undefined
      for (const field of this.#rules.unknownFields(record)) {
        if (this.#unknown.size < MAX_WARNINGS) this.#unknown.add(field)
        else if (!this.#unknown.has(field)) this.#unlisted++
      }
    }
    for (const { field, when } of this.#rules.outOfPlace(record, this.#notWarnedOf)) {
      if (this.#misplaced.has(field)) continue
      const msg = `applies only when ${when.field} is ${when.equals}; it was stored anyway`
      this.#misplaced.set(field, { field, msg })
    }
  }
}
