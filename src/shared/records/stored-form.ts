import { parseExactJson } from '#shared/json/exact-numbers'
import { addedNamesIn } from '#shared/records/search/added-names'
import { digestOf } from '#shared/text/digest'
import { hasFewBeyondLatin1, isLatin1, jsonInLatin1 } from '#shared/text/latin-1'
import {
  ALIASES_SLOT,
  type DerivedField,
  DISPLAY_NAME_SLOT,
  NAME_SLOT,
  type RawRecord,
  type RecordType,
} from './record-type'

/** A record as the API returns it: every field of its type, absent ones as null or an empty list. */
export type ReturnedRecord = Record<string, unknown>

/** A row of `records` as queries select it. */
export interface RecordRow {
  record_id: string
  is_active: number
  /** Milliseconds since the epoch. */
  written_at: number
  data: string
  /** See `addedNamesText`. Absent from queries that do not need it. */
  added_names?: string
}

/**
 * The stored form of a valid record: a JSON list with each field's value at its slot, up to the last value present.
 * Equal records have equal forms, so comparing two texts shows whether a write changes anything.
 */
export const storedForm = (type: RecordType, record: RawRecord): string => JSON.stringify(slotsOf(type, record))

/**
 * A valid record as a write sends it to the database: `[id, is_active, search text, stored form, codes, position,
 * filled slots, digest of the stored form]`. The stored form is a nested list, because JSON would escape every quote of
 * a text twice more. With few characters beyond Latin-1, it is a text, and these are escaped: all records of a request
 * would take twice the memory. The database does not decode escapes in a nested list.
 *
 * @param searchText see `SearchText`
 * @param position in the request
 * @returns its JSON, and the filled slots
 */
export const writtenForm = (
  type: RecordType,
  record: RawRecord,
  searchText: string,
  codes: string,
  position: number,
): { json: string; filled: number } => {
  const activity = record.is_active === false ? 0 : 1
  const values = slotsOf(type, record)
  const form = JSON.stringify(values)
  const filled = filledSlots(type, values)
  // Two lists, because a call of `JSON.stringify` for each value takes longer.
  const start = JSON.stringify([record[type.idField], activity, searchText]).slice(0, -1)
  const end = JSON.stringify([codes, position, filled, digestOf(form)]).slice(1)
  const withData = (data: string) => `${start},${data},${end}`
  const written = withData(form)
  if (!hasFewBeyondLatin1(written)) return { json: written, filled }
  return { json: jsonInLatin1(isLatin1(form) ? written : withData(JSON.stringify(form))), filled }
}

/** Whether a slot is among filled slots. */
export const hasSlot = (filled: number, slot: number): boolean => ((filled >> slot) & 1) === 1

/** The slots that hold a value, as bits of a number. */
function filledSlots({ blankSlots }: RecordType, values: readonly unknown[]): number {
  let bits = 0
  for (let slot = 0, bit = 1; slot < values.length; slot++, bit *= 2) if (values[slot] !== blankSlots[slot]) bits += bit
  return bits
}

/**
 * A form that is sent, in which some slots keep their stored values.
 *
 * @param data the stored form
 */
export function mergedForm(type: RecordType, form: string, keptSlots: readonly number[], data: string): string {
  const values = exactValues(type, form)
  const stored = slotValues(type, data)
  for (const slot of keptSlots) {
    if (valueIn(type, stored, slot) === undefined) continue
    // A stored form ends with the last value that is present.
    while (values.length < slot) values.push(type.blankSlots[values.length])
    values[slot] = stored[slot]
  }
  return JSON.stringify(values)
}

/** The stored form in a parsed `writtenForm`. */
export function writtenData(written: readonly unknown[]): string {
  const data = written[3]
  return typeof data === 'string' ? data : JSON.stringify(data)
}

function writtenSlots(written: readonly unknown[]): unknown[] {
  const slots: unknown = typeof written[3] === 'string' ? JSON.parse(written[3]) : written[3]
  return Array.isArray(slots) ? slots : []
}

/** The name in a parsed `writtenForm`. */
export function writtenName(written: readonly unknown[]): string {
  const name = writtenSlots(written)[NAME_SLOT]
  if (typeof name !== 'string') throw new Error('a written record has no name')
  return name
}

/** Name, display name and aliases in a parsed `writtenForm`, one per line. */
export function writtenNames(written: readonly unknown[]): string {
  const names = writtenSlots(written)
    .slice(0, ALIASES_SLOT + 1)
    .flat()
  return names.filter((name) => typeof name === 'string').join('\n')
}

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Loops over the record's own properties, because most records have few of their type's fields. */
function slotsOf({ storedFields, slotByName, blankSlots }: RecordType, record: RawRecord): unknown[] {
  const values = blankSlots.slice()
  let length = 0
  for (const name in record) {
    const value = record[name]
    if (value === undefined || value === null) continue
    const slot = slotByName.get(name)
    if (slot === undefined || (isEmptyList(value) && storedFields[slot]?.kind === 'list')) continue
    if (slot === DISPLAY_NAME_SLOT && value === record.name) continue
    values[slot] = value
    length = Math.max(length, slot + 1)
  }
  values.length = length
  return values
}

const holdsNumbers = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null)

/** The values of a stored form. Numbers in an `any` field keep their original text. */
function exactValues(type: RecordType, data: string): unknown[] {
  const values: unknown[] = JSON.parse(data)
  const hasNumbers = type.storedFields.some(({ kind }, slot) => kind === 'any' && holdsNumbers(values[slot]))
  return hasNumbers ? (parseExactJson(data) as unknown[]) : values
}

/** The values of a stored form by slot. @throws Error for a form that this version does not write */
function slotValues(type: RecordType, data: string): readonly unknown[] {
  const values = exactValues(type, data)
  if (!Array.isArray(values) || values.length > type.storedFields.length || typeof values[0] !== 'string') {
    throw new Error(`A stored ${type.title} is in a form that this version of the service does not know.`)
  }
  return values
}

/** Undefined for no value. A form ends with the last value that is present. */
const valueIn = ({ blankSlots }: RecordType, values: readonly unknown[], slot: number): unknown =>
  values[slot] === blankSlots[slot] ? undefined : values[slot]

function presentFields(type: RecordType, values: readonly unknown[]): RawRecord {
  const record: RawRecord = {}
  type.storedFields.forEach(({ name }, slot) => {
    const value = valueIn(type, values, slot)
    if (value !== undefined) record[name] = value
  })
  return record
}

/** The present fields of a form that a request sends. Without a column of names, it has no name. */
export const formValues = (type: RecordType, form: string): RawRecord => presentFields(type, exactValues(type, form))

/** The present fields of a stored form. @throws Error as `slotValues` */
export const storedValues = (type: RecordType, data: string): RawRecord => presentFields(type, slotValues(type, data))

/** The returned form of a stored record (docs/contract.md#returned-records). It can be written again unchanged. */
export function returnedForm(type: RecordType, row: RecordRow): ReturnedRecord {
  const values = slotValues(type, row.data)
  const record: ReturnedRecord = { ...type.blankAnswer }
  for (const field of type.returnedFields) {
    if (field.kind === 'derived') record[field.name] = derivedValue(field, record[field.from])
    else if (field.slot !== null)
      record[field.name] = valueIn(type, values, field.slot) ?? (field.kind === 'list' ? [] : null)
  }
  record[type.idField] = row.record_id
  record.display_name ??= record.name
  record.is_active = row.is_active === 1
  record.added_names = addedNamesIn(row.added_names ?? '')
  record.updated_at = new Date(row.written_at).toISOString()
  return record
}

const derivedValue = ({ derive }: DerivedField, from: unknown): string | null =>
  typeof from === 'string' ? derive(from) : null
