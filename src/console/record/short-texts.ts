import type { EnumField, Field, RawRecord, RecordType, RecordTypeName, StringField } from '#shared/records/record-type'
import { valueLabel } from '../wording'

type ShortField = StringField | EnumField

const isShort = (field: Field): field is ShortField => field.kind === 'string' || field.kind === 'enum'

/** The value of a text or of a field with fixed values; nothing if there is none. */
export const shortText = (field: ShortField, value: unknown): string =>
  typeof value !== 'string' ? '' : field.kind === 'enum' ? valueLabel(field, value) : value

/** The fields by which people tell records of the same name apart, by type. */
const SUMMARIES: Readonly<Record<RecordTypeName, readonly string[]>> = {
  medication: ['strength', 'form_name', 'manufacturer'],
  lab_test: ['kind', 'specimen', 'unit'],
  symptom: ['icd10', 'icd10_term', 'gender'],
  diagnosis: ['icd10', 'icd10_term', 'gender'],
}

/** The fields that say most beside id and name, in lists and below the name of a record. */
export const summaryFields = ({ name, fields }: RecordType): readonly ShortField[] =>
  SUMMARIES[name].flatMap((wanted) => fields.filter(isShort).filter((field) => field.name === wanted))

/** The fields that people look for first, by their names; a form always shows them. */
export const mainFields = (type: RecordType): readonly string[] => [
  type.idField,
  'name',
  'aliases',
  'generic_name',
  ...SUMMARIES[type.name],
]

/** What stands below the name of a record: `500 mg`, `Tablet`, `Example Pharma`. */
export const headlineOf = (type: RecordType, record: RawRecord): string[] =>
  summaryFields(type)
    .map((field) => shortText(field, record[field.name]))
    .filter((text) => text !== '')

/** A record as people see it. A display name that repeats the name was not given: it follows when the name changes. */
export const withoutRepeatedName = (record: RawRecord): RawRecord =>
  record.display_name === record.name ? { ...record, display_name: null } : record
