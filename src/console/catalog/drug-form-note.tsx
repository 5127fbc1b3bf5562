import { Text } from '@mantine/core'
import { DRUG_FORMS, formIdOf } from '#shared/records/drug-forms'

/** Says whether a dosage form has an accepted name. Medications are linked to accepted forms. */
export function DrugFormNote({ name }: { name: unknown }) {
  if (typeof name !== 'string' || name.trim() === '') return null
  const id = formIdOf(name)
  const form = DRUG_FORMS.find(({ form_id }) => form_id === id)
  return (
    <Text component="span" display="block" size="xs" c="dimmed">
      {form === undefined
        ? 'Not an accepted dosage form: kept as text, not linked.'
        : `Linked to the accepted dosage form “${form.name}” (${form.form_id}).`}
    </Text>
  )
}
