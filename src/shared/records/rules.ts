import type { ErrorNumbers } from '#shared/errors/errors'
import type { FieldErrorCode } from '#shared/errors/schemas'
import { isDeeperThan, isLargerThan } from '#shared/json/exact-numbers'
import { MAX_JSON_DEPTH, MAX_LIST_ITEMS, MAX_RECORD_CHARACTERS } from '#shared/limits'
import { isBlank } from '#shared/text/characters'
import {
  type Condition,
  type Field,
  type FieldValue,
  IDS_OUTSIDE_PATHS,
  type RawRecord,
  RESERVED_IDS,
  type RecordType,
} from './record-type'
import { READ_ONLY_FIELDS } from './record-types'

interface Reason {
  code: FieldErrorCode
  /** Reads as a sentence after the name of the field. */
  msg: string
  numbers?: ErrorNumbers | undefined
}

/** Null when the value is acceptable. */
type Rule = (value: FieldValue) => Reason | null

const reason = (code: FieldErrorCode, msg: string, numbers?: ErrorNumbers): Reason => ({ code, msg, numbers })

/** Whether a text has more than `max` code points. Counts them only if its UTF-16 length does not decide it. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > max * 2) return true
  let count = 0
  for (const _ of text) if (++count > max) return true
  return false
}

const isBlankText = (value: unknown): boolean => typeof value === 'string' && isBlank(value)

function textError(value: unknown, max: number): Reason | null {
  if (typeof value !== 'string') return reason('wrong_type', 'must be a string')
  if (isLonger(value, max)) return reason('too_long', `must be at most ${max} characters`, { limit: max })
  if (value.includes('\0')) return reason('malformed', 'must not contain the character U+0000')
  return value.isWellFormed() ? null : reason('malformed', 'must be valid Unicode text, without half a surrogate pair')
}

function listError(value: unknown, max: number): Reason | null {
  if (!Array.isArray(value)) return reason('wrong_type', 'must be a list of strings')
  if (value.length > MAX_LIST_ITEMS)
    return reason('too_many', `must have at most ${MAX_LIST_ITEMS} items`, { limit: MAX_LIST_ITEMS })
  for (let i = 0; i < value.length; i++) {
    if (isBlankText(value[i])) continue
    const fault = textError(value[i], max)
    if (fault !== null) {
      const item = i + 1
      return reason(fault.code, `item ${item} ${fault.msg}`, { ...fault.numbers, item })
    }
  }
  return null
}

const quotedList = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ')

function refidError(value: unknown): Reason | null {
  const [levels, characters] = [MAX_JSON_DEPTH, MAX_RECORD_CHARACTERS]
  if (isDeeperThan(levels, value))
    return reason('too_deep', `must not be nested deeper than ${levels} levels`, { limit: levels })
  if (!isLargerThan(characters, value)) return null
  return reason('too_large', `must be at most ${characters} characters as JSON`, { limit: characters })
}

/** The rule for a value that is present. Each kind of field needs a case here. */
function ruleOf(field: Field): Rule {
  switch (field.kind) {
    case 'string':
      return (value) => textError(value, field.maxLength)
    case 'list':
      return (value) => listError(value, field.maxLength)
    case 'enum':
      return (value) =>
        (field.values as readonly unknown[]).includes(value)
          ? null
          : reason(
              typeof value === 'string' ? 'not_allowed' : 'wrong_type',
              `must be one of ${quotedList(field.values)}`,
            )
    case 'boolean':
      return (value) =>
        typeof value === 'boolean'
          ? null
          : reason(
              'wrong_type',
              typeof value === 'string'
                ? 'must be true or false (in CSV also yes, no, y, n, t, f, 1, 0)'
                : 'must be true or false',
            )
    case 'any':
      return refidError
  }
}

const isAbsent = (value: FieldValue): boolean => value === undefined || value === null

/** Blank text, and a list with only blank items, count as missing. */
const isMissing = (value: FieldValue): boolean =>
  isAbsent(value) || isBlankText(value) || (Array.isArray(value) && value.every(isBlankText))

/** The error for an id that cannot be part of a path. */
function reservedError(id: unknown): Reason | null {
  if ((RESERVED_IDS as readonly unknown[]).includes(id)) {
    return reason('reserved_id', 'is reserved as the name of an endpoint; choose another ID')
  }
  return (IDS_OUTSIDE_PATHS as readonly unknown[]).includes(id)
    ? reason('reserved_id', 'must not be "." or "..", which cannot be part of a path; choose another ID')
    : null
}

export interface Failure extends Reason {
  field: string
}

interface FieldRules {
  name: string
  required: boolean
  /** Blank text is an absent value. */
  isText: boolean
  isList: boolean
  rule: Rule
}

const NONE: ReadonlySet<string> = new Set()

/** The rules of a record type: whether a record is valid by itself. */
export class RecordRules {
  readonly #idField: string
  readonly #fields: readonly FieldRules[]
  readonly #required: readonly Condition[]
  readonly #expected: readonly Condition[]
  readonly #names: ReadonlySet<string>
  /** The fields with blank text or blank items in the record that was checked last. */
  #blank: FieldRules[] = []

  constructor(type: RecordType) {
    this.#idField = type.idField
    this.#fields = type.fields.map((field) => ({
      name: field.name,
      required: field.required === true,
      isText: field.kind === 'string' || field.kind === 'enum',
      isList: field.kind === 'list',
      rule: ruleOf(field),
    }))
    this.#required = type.conditions.filter(({ rule }) => rule === 'required')
    this.#expected = type.conditions.filter(({ rule }) => rule === 'expected')
    this.#names = new Set([...type.fields.map(({ name }) => name), ...READ_ONLY_FIELDS])
  }

  /** Every failing field of one record, in the order of the definition. @param unread fields without a column */
  check(record: RawRecord, unread: ReadonlySet<string> = NONE): Failure[] {
    const failures: Failure[] = []
    if (this.#blank.length > 0) this.#blank = []
    for (const field of this.#fields) {
      const { name, required, isText, isList, rule } = field
      const value = record[name]
      if (value === undefined && !required) continue
      if (unread.size > 0 && unread.has(name)) continue
      const noText = isText && isBlankText(value)
      if (noText || (isList && Array.isArray(value) && value.some(isBlankText))) this.#blank.push(field)
      let fault: Reason | null = null
      if (isAbsent(value) || noText) {
        if (required) {
          fault = reason('required', isAbsent(value) ? 'is required' : 'is required and must not be empty')
        }
      } else fault = rule(value) ?? (name === this.#idField ? reservedError(value) : null)
      if (fault !== null) failures.push({ field: name, ...fault })
    }
    for (const { field, when } of this.#required) {
      if (record[when.field] !== when.equals || unread.has(field) || !isMissing(record[field])) continue
      if (failures.some((failure) => failure.field === field)) continue
      failures.push({ field, code: 'conditional', msg: `is required when ${when.field} is ${when.equals}` })
    }
    return failures
  }

  /** Removes blank text, and blank items of lists, from the valid record that was checked last. */
  removeBlanks(record: RawRecord): void {
    for (const { name } of this.#blank) {
      const value = record[name]
      record[name] = Array.isArray(value) ? value.filter((item) => !isBlankText(item)) : undefined
    }
  }

  *unknownFields(record: RawRecord): Iterable<string> {
    for (const name in record) if (!this.#names.has(name)) yield name
  }

  /** Fields that are set but mean nothing in this record. @param unread fields whose values are not known */
  outOfPlace(record: RawRecord, unread: ReadonlySet<string> = NONE): readonly Condition[] {
    return this.#expected.filter(
      ({ field, when }) => record[when.field] !== when.equals && !unread.has(when.field) && !isMissing(record[field]),
    )
  }
}
