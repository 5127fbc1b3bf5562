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

/**
 * Fields that the service adds to the records that it returns. In requests they are ignored without a warning, for
 * every type, so that a record that was read can be written again.
 */
export const READ_ONLY_FIELDS: readonly string[] = [
  'updated_at',
  ...Object.values(recordTypes).flatMap(({ derived }) => derived.map(({ name }) => name)),
]
