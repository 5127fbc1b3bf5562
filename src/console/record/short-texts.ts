import type { EnumField, Field, RawRecord, RecordType, RecordTypeName, StringField } from '#shared/records/record-type'
import { valueLabel } from '../wording'

type ShortField = StringField | EnumField

const isShort = (field: Field): field is ShortField => field.kind === 'string' || field.kind === 'enum'

/** The items of a list field. */
export const itemsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** The text of a text or enum field; empty if there is no value. */
export const shortText = (field: ShortField, value: unknown): string =>
  typeof value !== 'string' ? '' : field.kind === 'enum' ? valueLabel(field, value) : value

/** The fields that distinguish records with the same name, by type. */
const SUMMARIES: Readonly<Record<RecordTypeName, readonly string[]>> = {
  medication: ['strength', 'form_name', 'manufacturer'],
  lab_test: ['kind', 'specimen', 'unit'],
  symptom: ['icd10', 'icd10_term', 'gender'],
  diagnosis: ['icd10', 'icd10_term', 'gender'],
}

/** The fields that lists show in addition to ID and name, and that are shown below a record's name. */
export const summaryFields = ({ name, fields }: RecordType): readonly ShortField[] =>
  SUMMARIES[name].flatMap((wanted) => fields.filter(isShort).filter((field) => field.name === wanted))

/** The line below a record's name: `500 mg`, `Tablet`, `Example Pharma`. */
export const headlineOf = (type: RecordType, record: RawRecord): string[] =>
  summaryFields(type)
    .map((field) => shortText(field, record[field.name]))
    .filter((text) => text !== '')

/** Removes a display name that only repeats the name: no one chose it, and it changes with the name. */
export const withoutRepeatedName = (record: RawRecord): RawRecord =>
  record.display_name === record.name ? { ...record, display_name: null } : record
