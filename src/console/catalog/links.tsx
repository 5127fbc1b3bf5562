import { Anchor, Text } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { DRUG_FORMS, formIdOf } from '#shared/records/drug-forms'

export const BackLink = ({ href, label }: { href: string; label: string }) => (
  <Anchor component={Link} href={href} size="sm" display="inline-block" mb="xs">
    <ArrowLeft size={16} style={{ verticalAlign: 'text-bottom', marginRight: 4 }} />
    {label}
  </Anchor>
)

/** Whether the name of a dosage form is one that medications are linked by. */
export function FormLink({ name }: { name: unknown }) {
  if (typeof name !== 'string' || name.trim() === '') return null
  const id = formIdOf(name)
  const form = DRUG_FORMS.find(({ form_id }) => form_id === id)
  return (
    <Text component="span" display="block" size="xs" c="dimmed">
      {form === undefined
        ? 'Not one of the accepted dosage forms: kept as text, linked to no form.'
        : `Linked to the accepted dosage form “${form.name}” (${form.form_id}).`}
    </Text>
  )
}
