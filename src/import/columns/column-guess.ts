import { nearestName } from '#errors/nearest-name'
import { normalizedHeader } from '#records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#records/record-type'

/** Headers that people use and the service does not know, by the field that they mostly mean. */
const USUAL: Readonly<Record<string, string>> = {
  dose: 'strength',
  dosage: 'strength',
  potency: 'strength',
  brand: 'name',
  brand_name: 'name',
  product: 'name',
  product_name: 'name',
  generic: 'generic_name',
  molecule: 'generic_name',
  composition: 'generic_list',
  mfr: 'manufacturer',
  make: 'manufacturer',
  marketer: 'manufacturer',
  schedule: 'schedule_code',
  sample: 'specimen',
  sample_type: 'specimen',
  test_kind: 'kind',
  department: 'discipline',
  snomed_code: 'snomed_id',
  icd_code: 'icd10',
}

/** What a column without a known header may be; undefined where nothing is near. */
export function guessField(header: string, type: RecordType): Field | undefined {
  const written = normalizedHeader(header)
  if (written === '') return undefined
  const usual = fieldNamed(type, USUAL[written])
  if (usual !== undefined) return usual
  const names = new Map(
    type.fields.flatMap((field) => [field.name, ...(field.headers ?? [])].map((name) => [name, field])),
  )
  return names.get(nearestName(written, names.keys()) ?? '')
}
