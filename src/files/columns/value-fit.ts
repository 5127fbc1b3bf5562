import { cellReader } from '#shared/records/csv/cell'
import { formIdOf } from '#shared/records/drug-forms'
import type { RecordTypeName } from '#shared/records/record-type'
import { isNullMarker } from '#shared/records/text-faults'
import { symptom } from '#shared/records/types/finding'
import { labTest } from '#shared/records/types/lab-test'

type Fits = Readonly<Partial<Record<RecordTypeName, number>>>

/** A kind of value that is typical of certain catalogs. */
interface ValueKind {
  matches: (value: string) => boolean
  /** The points that such a column adds to catalogs. */
  points: Fits
}

const STRENGTH = /^\d[\d.,]*\s*(?:mg|mcg|µg|g|ml|iu|%|units?)(?![a-z])/i
export const startsWithStrength = (value: string): boolean => STRENGTH.test(value)
const STRENGTH_IN_NAME = /\b\d[\d.,]*\s?(?:mg|mcg|ml|iu)(?![a-z])/i

/** WHO ICD-10: a letter, two characters, possibly more after a point. U is reserved for special purposes. */
const ICD10 = /^[A-TV-Z]\d[\dA-Z](?:\.[\dA-Z]{1,4})?$/
/** ICD-10, chapter XVIII: symptoms, signs and abnormal findings. */
const ICD10_SYMPTOM = /^R\d\d/

/** LOINC: up to five digits, a hyphen and a check digit. */
const LOINC = /^\d{1,5}-\d$/

/** Whether a value is a value of an enum, in any of its spellings. */
function memberOf(name: string): ValueKind['matches'] {
  const field = [...labTest.fields, ...symptom.fields].find((one) => one.name === name)
  if (field?.kind !== 'enum') throw new Error(`${name} has no list of values`)
  const readValue = cellReader(field)
  return (value) => field.values.includes(String(readValue(value)))
}

const VALUE_KINDS: readonly ValueKind[] = [
  { matches: startsWithStrength, points: { medication: 2 } },
  // A name that contains a strength. A value that begins with a strength has already been counted.
  { matches: (value) => !startsWithStrength(value) && STRENGTH_IN_NAME.test(value), points: { medication: 2 } },
  { matches: (value) => formIdOf(value) !== null, points: { medication: 2 } },
  { matches: (value) => LOINC.test(value), points: { lab_test: 2 } },
  { matches: memberOf('kind'), points: { lab_test: 2 } },
  { matches: memberOf('result_type'), points: { lab_test: 2 } },
  { matches: (value) => ICD10.test(value), points: { symptom: 2, diagnosis: 2 } },
  { matches: (value) => ICD10.test(value) && ICD10_SYMPTOM.test(value), points: { symptom: 1 } },
  { matches: (value) => ICD10.test(value) && !ICD10_SYMPTOM.test(value), points: { diagnosis: 1 } },
  { matches: memberOf('gender'), points: { symptom: 1, diagnosis: 1 } },
]

/** Fewest values that prove anything. */
const LEAST_VALUES = 3
/** The share of a column's values that must be of one kind. */
const LEAST_SHARE = 0.6

const isOfKind = (values: readonly string[], { matches }: ValueKind): boolean =>
  values.length >= LEAST_VALUES && values.filter(matches).length >= values.length * LEAST_SHARE

/** How well the values of some rows fit each catalog. Each kind of value counts once. */
export function valueFits(rows: readonly (readonly string[])[]): Fits {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const columns = Array.from({ length: width }, (_, position) =>
    rows.map((cells) => (cells[position] ?? '').trim()).filter((value) => value !== '' && !isNullMarker(value)),
  )
  const fits: Partial<Record<RecordTypeName, number>> = {}
  for (const kind of VALUE_KINDS) {
    if (!columns.some((values) => isOfKind(values, kind))) continue
    for (const [type, points] of Object.entries(kind.points) as [RecordTypeName, number][])
      fits[type] = (fits[type] ?? 0) + points
  }
  return fits
}
