import type { RecordType, RecordTypeName } from '../record-type'
import { diagnosis } from './diagnosis'
import { labTest } from './lab-test'
import { medication } from './medication'
import { symptom } from './symptom'

export const recordTypes: Readonly<Record<RecordTypeName, RecordType>> = {
  medication,
  lab_test: labTest,
  symptom,
  diagnosis,
}
