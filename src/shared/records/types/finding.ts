import { defineRecordType, type Field } from '#shared/records/record-type'

/** The fields of symptoms and diagnoses, which differ only in the id field. */
const FINDING_FIELDS: readonly Field[] = [
  {
    kind: 'string',
    name: 'snomed_id',
    slot: 4,
    searchedAs: 'code',
    checkDigit: 'snomed',
    maxLength: 32,
    headers: ['snomed', 'snomed_code', 'snomed_ct'],
    description: 'SNOMED CT concept id; not checked against the vocabulary.',
  },
  {
    kind: 'string',
    name: 'icd10',
    slot: 5,
    searchedAs: 'code',
    maxLength: 32,
    headers: ['icd_10', 'icd10_code', 'icd'],
    description: 'ICD-10 code.',
  },
  {
    kind: 'string',
    name: 'icd10_term',
    slot: 6,
    searchedAs: 'text',
    maxLength: 255,
    description: 'Term of the ICD-10 code.',
  },
  {
    kind: 'enum',
    name: 'gender',
    slot: 7,
    values: ['M', 'F'],
    spellings: { male: 'M', female: 'F' },
    headers: ['sex'],
    description: 'Absent (null) if the item applies to everyone.',
  },
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
