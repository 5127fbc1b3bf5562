import { diagnosis } from '#records/types/diagnosis'
import { labTest } from '#records/types/lab-test'
import { medication } from '#records/types/medication'
import { symptom } from '#records/types/symptom'
import type { RecordType, RecordTypeName } from './record-type'

export const recordTypes: Readonly<Record<RecordTypeName, RecordType>> = {
  medication,
  lab_test: labTest,
  symptom,
  diagnosis,
}
