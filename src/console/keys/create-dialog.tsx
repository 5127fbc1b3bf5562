import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { CopyValue, type LabelledValue } from '../widgets/copy-value'
import { Dialog } from '../widgets/dialog'
import { takeFocus } from '../widgets/hooks'
import { titleCase } from '../wording'
import { useAddition } from './administration'
import type { Creatable } from './credential-kinds'
import { RequestForm } from './request-form'

interface CreateDialogProps<Body, Created> {
  kind: Creatable<Body, Created>
  opened: boolean
  onClose: () => void
}

/** A form, and then what it has created, which does not disappear by accident. */
export function CreateDialog<Body, Created>({ kind, opened, onClose }: CreateDialogProps<Body, Created>) {
  const { one, create = `Create ${one}`, Fields } = kind
  const addition = useAddition(kind.resource)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={addition.reset}
      title={addition.isSuccess ? `${titleCase(one)} created` : create}
      size="lg"
      locked={addition.isPending || addition.isSuccess}
    >
      {addition.isSuccess ? (
        <SecretValues values={kind.valuesOf(addition.data, addition.variables)} onStored={onClose} />
      ) : (
        <RequestForm addition={addition} action={create} bodyOf={kind.bodyOf} onCancel={onClose}>
          {(messages) => <Fields messages={messages} />}
        </RequestForm>
      )}
    </Dialog>
  )
}

const NOT_STORED: LeaveQuestion = {
  title: 'Leave without the secret?',
  text: 'It is shown only now. Without it what you have created is of no use, and has to be revoked.',
  leave: 'Leave without it',
}

interface SecretValuesProps {
  /** All that is needed together. */
  values: readonly LabelledValue[]
  /** Called once the person says that they are stored. */
  onStored: () => void
}

/** Shows a secret, this once, until the person has stored it. */
export function SecretValues({ values, onStored }: SecretValuesProps) {
  const [stored, setStored] = useState(false)
  useLeaveQuestion(NOT_STORED)
  return (
    <Stack>
      <Alert ref={takeFocus} tabIndex={-1} color="yellow" title="Shown only now" icon={<TriangleAlert />}>
        Store these values where only those who need them can read them. The service cannot show them again.
      </Alert>
      {values.map((value) => (
        <CopyValue key={value.label} {...value} />
      ))}
      <Checkbox
        label="I have stored these values"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!stored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
