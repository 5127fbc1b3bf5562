import { defineRecordType } from '#shared/records/record-type'
import { findingFields } from './finding'

export const diagnosis = defineRecordType({
  name: 'diagnosis',
  title: 'diagnosis',
  plural: 'diagnoses',
  nameHeaders: ['diagnosis_name'],
  fields: findingFields,
})
