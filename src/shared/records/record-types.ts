import { diagnosis, symptom } from '#shared/records/types/finding'
import { labTest } from '#shared/records/types/lab-test'
import { medication } from '#shared/records/types/medication'
import type { RecordType, RecordTypeName } from './record-type'

export const recordTypes: Readonly<Record<RecordTypeName, RecordType>> = {
  medication,
  lab_test: labTest,
  symptom,
  diagnosis,
}

/** Fields that the service adds to what it returns, ignored in requests of every type. */
export const READ_ONLY_FIELDS: readonly string[] = [
  'added_names',
  'updated_at',
  ...Object.values(recordTypes).flatMap(({ derived }) => derived.map(({ name }) => name)),
]
