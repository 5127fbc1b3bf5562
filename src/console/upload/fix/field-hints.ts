import type { ErrorGroup } from '#files/check/row-errors'
import type { FieldErrorCode } from '#shared/errors/schemas'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { fieldWord, valueLabel } from '../../wording'

interface OfferedValue {
  value: string
  label: string
}

/** All values of an enum field; none for a field that accepts any text. */
export function allowedValues(field: Field | undefined): OfferedValue[] {
  if (field?.kind === 'boolean') {
    return [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ]
  }
  if (field?.kind !== 'enum') return []
  return field.values.map((value) => ({ value, label: valueLabel(field, value) }))
}

/** Usual values of a field that accepts any text. */
export const suggestedValues = (field: Field | undefined): string[] =>
  field?.name === 'form_name' ? DRUG_FORMS.map(({ name }) => name) : allowedValues(field).map(({ value }) => value)

const MISSING_CODES: readonly FieldErrorCode[] = ['required', 'conditional']

/** What to do about an error, as a sentence. */
export function hintOf(field: Field | undefined, code: FieldErrorCode): string {
  if (code === 'duplicate_id') return 'Give each row its own ID, or exclude the duplicate rows.'
  if (code === 'reserved_id') return 'Use another ID.'
  if (code === 'malformed') return 'Some characters cannot be read.'
  if (field === undefined) return 'Exclude these rows, or correct them in your spreadsheet.'
  if (field.kind === 'boolean') return 'Use yes or no.'
  if (field.kind === 'enum')
    return `Use one of: ${allowedValues(field)
      .map(({ label }) => label)
      .join(', ')}.`
  if (MISSING_CODES.includes(code)) return 'Fill it in.'
  if (code === 'too_long' && 'maxLength' in field) return `Shorten it to ${field.maxLength} characters.`
  return 'Correct the value.'
}

/** Rewords a message of the service for this page: fields by their labels, without parameters of the API. */
export const inWords = ({ fields }: RecordType, message: string): string =>
  message
    .replace(/; keep_missing=true[^;]*/g, '')
    .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (name) =>
      fields.some((field) => field.name === name) ? fieldWord(name) : name,
    )

/** What is wrong with a value of a field, reworded for this page. It follows the name of the field. */
export const valueReason = (field: Field | undefined, message: string): string =>
  field?.kind === 'boolean' ? 'needs yes or no' : message

/** What is wrong with a group of errors. It follows the name of the field. */
export function groupReason(type: RecordType, { field, code, ofFile, reason }: ErrorGroup): string {
  if (ofFile) return code === 'required' && field !== null ? 'has no column in the file' : reason
  const about = fieldNamed(type, field)
  // The values are listed below, in the words of this page.
  if (about?.kind === 'enum' && code === 'not_allowed') return 'is not one of the allowed values'
  return valueReason(about, inWords(type, reason))
}
