import type { EnumField, Field, RawRecord, RecordType, RecordTypeName, StringField } from '#shared/records/record-type'
import { valueLabel } from '../wording'

type ShortField = StringField | EnumField

const isShort = (field: Field): field is ShortField => field.kind === 'string' || field.kind === 'enum'

/** The value of a text or of a field with fixed values; nothing if there is none. */
export const shortText = (field: ShortField, value: unknown): string =>
  typeof value !== 'string' ? '' : field.kind === 'enum' ? valueLabel(field, value) : value

const MAX_COLUMNS = 3

/** Fields that all types share; they have places of their own in a list. */
const COMMON = ['name', 'display_name']

/**
 * The fields of a type that say most beside id and name: its first short texts, the required ones before the others.
 * Ids of other systems say little to people.
 */
export function summaryFields({ idField, fields }: RecordType): readonly ShortField[] {
  const own = fields
    .filter(isShort)
    .filter(({ name }) => name !== idField && !COMMON.includes(name) && !name.endsWith('_id'))
  return own.toSorted((a, b) => Number(b.required === true) - Number(a.required === true)).slice(0, MAX_COLUMNS)
}

/** The fields by which people tell records of the same name apart, by type. */
const HEADLINES: Readonly<Record<RecordTypeName, readonly string[]>> = {
  medication: ['strength', 'form_name', 'manufacturer'],
  lab_test: ['kind', 'specimen', 'unit'],
  symptom: ['icd10', 'icd10_term', 'gender'],
  diagnosis: ['icd10', 'icd10_term', 'gender'],
}

/** The fields that people look for first, by their names; a form always shows them. */
export const mainFields = (type: RecordType): readonly string[] => [
  type.idField,
  'name',
  'aliases',
  ...HEADLINES[type.name],
  ...summaryFields(type).map(({ name }) => name),
]

/** What stands below the name of a record: `500 mg`, `Tablet`, `Example Pharma`. */
export const headlineOf = ({ name, fields }: RecordType, record: RawRecord): string[] =>
  HEADLINES[name].flatMap((wanted) => {
    const field = fields.filter(isShort).find(({ name }) => name === wanted)
    const text = field === undefined ? '' : shortText(field, record[wanted])
    return text === '' ? [] : [text]
  })

/** A record as people see it. A display name that repeats the name was not given: it follows when the name changes. */
export const withoutRepeatedName = (record: RawRecord): RawRecord =>
  record.display_name === record.name ? { ...record, display_name: null } : record
