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

/**
 * Fields that the service adds to what it returns. In any type they are ignored without complaint when they are sent, so
 * that what was read can be written again.
 */
export const READ_ONLY_FIELDS: readonly string[] = [
  'updated_at',
  ...Object.values(recordTypes).flatMap(({ derived }) => derived.map(({ name }) => name)),
]
