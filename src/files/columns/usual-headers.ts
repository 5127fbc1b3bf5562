import { normalizedHeader } from '#shared/records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'

/** A header without what separates its words: `Unit of measure` and `unitOfMeasure` as `unitofmeasure`. */
export const compactHeader = (header: string): string => normalizedHeader(header).replaceAll(/[_.:*]+/g, '')

interface UsualMeaning {
  field: string
  reversed?: true
}

/** Stands for the id field of the type. */
const ID = 'id'

const meanings = (field: string, ...headers: readonly string[]): [string, UsualMeaning][] =>
  headers.map((header) => [header, { field }])

const opposites = (...headers: readonly string[]): [string, UsualMeaning][] =>
  headers.map((header) => [header, { field: 'is_active', reversed: true }])

/** Headers that people use and the service does not know, with the field that they mostly mean. */
const USUAL_HEADERS: ReadonlyMap<string, UsualMeaning> = new Map([
  ...meanings('strength', 'dose', 'dosage', 'potency'),
  ...meanings('name', 'brand', 'brandname', 'product', 'productname', 'tradename', 'proprietaryname', 'medicine'),
  ...meanings('name', 'drug', 'medication', 'medicinename', 'test', 'symptom', 'diagnosis', 'disease', 'condition'),
  ...meanings('generic_name', 'generic', 'molecule', 'inn', 'propername', 'nonproprietaryname', 'activesubstance'),
  ...meanings('generic_name', 'activesubstances', 'activeingredient', 'activeingredients'),
  ...meanings('generic_list', 'composition'),
  ...meanings('manufacturer', 'mfr', 'make', 'marketer'),
  ...meanings('schedule_code', 'schedule'),
  ...meanings('specimen', 'sample', 'sampletype', 'specimentype'),
  ...meanings('unit', 'unitofmeasure', 'uom'),
  ...meanings('kind', 'testkind'),
  ...meanings('discipline', 'department'),
  ...meanings('icd10', 'icdcode'),
  ...meanings(ID, 'uuid', 'guid'),
  ...opposites('void', 'voided', 'retired', 'isretired', 'obsolete', 'deleted'),
])

/** The field that a header mostly means, and whether the column says the opposite of it. */
export function usualMeaning(header: string, type: RecordType): { field: Field; reversed: boolean } | undefined {
  const meaning = USUAL_HEADERS.get(compactHeader(header))
  const field = meaning && fieldNamed(type, meaning.field === ID ? type.idField : meaning.field)
  return field && { field, reversed: meaning.reversed === true }
}
