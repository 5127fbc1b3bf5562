import { Alert, List, Stack, Text, TextInput } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { ShrinkGuardError } from '#errors'
import type { RecordType } from '#records/record-type'
import { MODE_LABELS } from '../counts'
import { numberText } from '../wording'
import type { Check } from './upload-process'

/** Names that are read in a sentence's place; the list above has more, and the file all. */
const NAMES_SHOWN = 8

interface ShrinkGuardProps {
  type: RecordType
  guard: ShrinkGuardError
  /** The first of the records that would be deactivated. */
  leaving: Check['diff']['deactivated']
  onConfirm: (confirmed: boolean) => void
}

/** Why the service would stop this upload, and how to confirm that it is meant. */
export function ShrinkGuard({ type, guard, leaving, onConfirm }: ShrinkGuardProps) {
  const [typed, setTyped] = useState('')
  const { would_deactivate: count, active_before: before } = guard
  const names = leaving.slice(0, NAMES_SHOWN)
  return (
    <Alert
      color="red"
      variant="light"
      icon={<ShieldAlert aria-hidden />}
      title={`This would deactivate more than half of the ${type.plural}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          {numberText(count)} of {numberText(before)} active {type.plural} are not in the file and would no
          longer be found. That happens when a file holds only a part of the catalog: then choose “
          {MODE_LABELS.upsert}” above. Among those that would go:
        </Text>
        <List size="sm">
          {names.map(({ id, name }) => (
            <List.Item key={id}>
              {name} ({id})
            </List.Item>
          ))}
          {count > names.length && <List.Item>and {numberText(count - names.length)} more</List.Item>}
        </List>
        <TextInput
          label={`To go on all the same, type the number of ${type.plural} that would be deactivated`}
          description={`It is ${count}.`}
          inputMode="numeric"
          autoComplete="off"
          maw={420}
          value={typed}
          onChange={(event) => {
            const text = event.currentTarget.value
            setTyped(text)
            onConfirm(text.replace(/[\s,.]/g, '') === String(count))
          }}
        />
      </Stack>
    </Alert>
  )
}
