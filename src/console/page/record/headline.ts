import type { EnumField, RawRecord, RecordType, RecordTypeName, StringField } from '#records/record-type'
import { shortText } from './short-text'

/** The fields by which people tell records of the same name apart, by type. */
const HEADLINES: Readonly<Record<RecordTypeName, readonly string[]>> = {
  medication: ['strength', 'form_name', 'manufacturer'],
  lab_test: ['kind', 'specimen', 'unit'],
  symptom: ['icd10', 'icd10_term', 'gender'],
  diagnosis: ['icd10', 'icd10_term', 'gender'],
}

/** What stands below the name of a record: `500 mg`, `Tablet`, `Example Pharma`. */
export const headlineOf = ({ name, fields }: RecordType, record: RawRecord): string[] =>
  HEADLINES[name].flatMap((wanted) => {
    const field = fields.find(
      (one): one is StringField | EnumField =>
        one.name === wanted && (one.kind === 'string' || one.kind === 'enum'),
    )
    const text = field === undefined ? '' : shortText(field, record[wanted])
    return text === '' ? [] : [text]
  })
