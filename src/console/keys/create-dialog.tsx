import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { type LeaveQuestion, useLeaveQuestion } from '../frame/leave-guard'
import { useItemChange } from '../queries'
import { CopyValue, type LabelledValue } from '../widgets/copy-value'
import { Dialog } from '../widgets/dialog'
import { FocusedAlert } from '../widgets/done-notice'
import { type FieldMessages, RequestForm } from '../widgets/form'
import { titleCase } from '../wording'
import type { Resource } from './use-items'

/** How a form creates an item and shows its secret. */
export interface Creatable<Item, Body, Created> {
  resource: Pick<Resource<never, Body, Created>, 'name' | 'create'>
  /** As part of a sentence: `API key`. */
  one: string
  /** The label of the button: `Create API key`. */
  create: string
  Fields: ComponentType<{ messages: FieldMessages }>
  bodyOf: (form: FormData) => Body
  /** Finds errors that the service would not find. @param items the existing items */
  check?: (body: Body, items: readonly Item[]) => FieldMessages
  /** The secret and related values; omitted if there is no secret. */
  secretOf?: (created: Created, body: Body) => readonly LabelledValue[]
}

interface CreateDialogProps<Item, Body, Created> {
  kind: Creatable<Item, Body, Created>
  items: readonly Item[]
  opened: boolean
  onClose: () => void
  onCreated: ((created: Created) => void) | undefined
}

/** A form that creates an item and then shows its secret, which cannot be closed by accident. */
export function CreateDialog<Item, Body, Created>(props: CreateDialogProps<Item, Body, Created>) {
  const { kind, items, opened, onClose, onCreated } = props
  const { resource, one, create, Fields, check, secretOf } = kind
  const creation = useItemChange(resource.name, resource.create)
  const secret = creation.isSuccess ? secretOf?.(creation.data, creation.variables) : undefined
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={creation.reset}
      title={secret === undefined ? create : `${titleCase(one)} created`}
      size="lg"
      locked={creation.isPending || secret !== undefined}
    >
      {secret !== undefined ? (
        <SecretValues values={secret} onStored={onClose} />
      ) : (
        <RequestForm
          mutation={creation}
          action={create}
          bodyOf={kind.bodyOf}
          check={check && ((body) => check(body, items))}
          onDone={(created) => {
            if (secretOf === undefined) onClose()
            onCreated?.(created)
          }}
          onCancel={onClose}
        >
          {(messages) => <Fields messages={messages} />}
        </RequestForm>
      )}
    </Dialog>
  )
}

const NOT_STORED: LeaveQuestion = {
  title: 'Leave without the secret?',
  text: 'This secret is shown only once. Without it, you cannot use this credential and must revoke it.',
  leave: 'Leave without it',
}

interface SecretValuesProps {
  values: readonly LabelledValue[]
  onStored: () => void
}

/** Shows a secret, only once, until the user has stored it. */
export function SecretValues({ values, onStored }: SecretValuesProps) {
  const [isStored, setStored] = useState(false)
  useLeaveQuestion(NOT_STORED)
  return (
    <Stack>
      <FocusedAlert color="yellow" title="Shown only once" icon={<TriangleAlert />}>
        Store these values where only those who need them can read them. The service cannot show them again.
      </FocusedAlert>
      {values.map((value) => (
        <CopyValue key={value.label} {...value} />
      ))}
      <Checkbox
        label="I have stored these values"
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
