import { defineRecordType } from '../record-type'
import { findingFields } from './finding'

export const diagnosis = defineRecordType({
  name: 'diagnosis',
  title: 'diagnosis',
  nameHeaders: ['diagnosis_name'],
  fields: findingFields,
})
