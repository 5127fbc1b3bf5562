import { defineRecordType } from '#shared/records/record-type'
import { findingFields } from './finding'

export const symptom = defineRecordType({
  name: 'symptom',
  title: 'symptom',
  plural: 'symptoms',
  nameHeaders: ['symptom_name'],
  fields: findingFields,
})
