import type { Field, RecordType } from '#shared/records/record-type'
import { fieldLabel } from '../wording'

/** Replaces descriptions that are written for developers. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  display_name: 'Shown to end users. If it is empty, they see the name.',
  aliases: 'Other names by which it is found.',
  custom_type: 'Your own classification.',
  form_name: 'As it is printed. An accepted dosage form links the medication to it.',
  body_part: 'Imaging only.',
  laterality: 'Imaging only.',
  view: 'Imaging only.',
  gender: 'Empty if it applies to everyone.',
  refid: 'The ID of the same item in another system, kept exactly as it is.',
}

/** The purpose of a field, with the console's names for fields; undefined if it only repeats the field's name. */
export function fieldDescription(
  { fields, idField, title }: RecordType,
  { name, description }: Field,
): string | undefined {
  if (name === idField) return `Your own ID of the ${title}. Uppercase and lowercase letters are different.`
  const forPeople = FOR_PEOPLE[name]
  if (forPeople !== undefined) return forPeople
  if (description === `${fieldLabel(name)}.`) return undefined
  return description.replaceAll(/`([^`]+)`/g, (_, word: string) =>
    fields.some((field) => field.name === word) || word === 'form_id' ? `“${fieldLabel(word)}”` : `“${word}”`,
  )
}
