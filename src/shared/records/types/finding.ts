import { defineRecordType, type Field, oneOf, text } from '#shared/records/record-type'

/** The fields of symptoms and diagnoses, which differ only in the id field. */
const FINDING_FIELDS: readonly Field[] = [
  text('snomed_id', 4, 32, 'SNOMED CT concept ID; not checked against the vocabulary.', {
    searchedAs: 'code',
    checkDigit: 'snomed',
    headers: ['snomed', 'snomed_code', 'snomed_ct'],
  }),
  text('icd10', 5, 32, 'ICD-10 code.', { searchedAs: 'code', headers: ['icd_10', 'icd10_code', 'icd'] }),
  text('icd10_term', 6, 255, 'Term of the ICD-10 code.', { searchedAs: 'text' }),
  oneOf('gender', 7, ['M', 'F'], 'Absent (null) if the item applies to everyone.', {
    spellings: { male: 'M', female: 'F' },
    headers: ['sex'],
  }),
]

export const symptom = defineRecordType({
  name: 'symptom',
  title: 'symptom',
  plural: 'symptoms',
  nameHeaders: ['symptom_name'],
  fields: FINDING_FIELDS,
})

export const diagnosis = defineRecordType({
  name: 'diagnosis',
  title: 'diagnosis',
  plural: 'diagnoses',
  nameHeaders: ['diagnosis_name'],
  fields: FINDING_FIELDS,
})
