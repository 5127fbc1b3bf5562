import { defineRecordType } from '../record-type'
import { findingFields } from './finding'

export const symptom = defineRecordType({
  name: 'symptom',
  title: 'symptom',
  nameHeaders: ['symptom_name'],
  fields: findingFields,
})
