import type { Field, RecordType } from '#records/record-type'
import { fieldLabel } from '../wording'

/**
 * What a field is for, with the names of fields as they are shown here; undefined when that only repeats the name
 * of the field.
 */
export function fieldDescription({ fields }: RecordType, { name, description }: Field): string | undefined {
  if (description === `${fieldLabel(name)}.`) return undefined
  return description.replaceAll(/`([^`]+)`/g, (_, word: string) =>
    fields.some((field) => field.name === word) || word === 'form_id' ? `“${fieldLabel(word)}”` : `“${word}”`,
  )
}
