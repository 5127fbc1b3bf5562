import type { RefObject } from 'react'
import { Dialog } from '../shell/dialog'
import { titleCase } from '../wording'
import { useAddition } from './administration'
import type { CredentialKind } from './credential-kind'
import { RequestForm } from './request-form'
import { SecretValues } from './secret-values'

interface CreateDialogProps<Item, Body, Created> {
  kind: CredentialKind<Item, Body, Created>
  opened: boolean
  onClose: () => void
  focusAfterwards: RefObject<HTMLElement | null>
}

/** A form, and then what it has created, which does not disappear by accident. */
export function CreateDialog<Item, Body, Created>({
  kind,
  opened,
  onClose,
  focusAfterwards,
}: CreateDialogProps<Item, Body, Created>) {
  const { one, Fields } = kind
  const addition = useAddition(kind.resource)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={addition.reset}
      title={addition.isSuccess ? `${titleCase(one)} created` : `Create ${one}`}
      size="lg"
      locked={addition.isPending || addition.isSuccess}
      focusAfterwards={focusAfterwards}
    >
      {addition.isSuccess ? (
        <SecretValues values={kind.valuesOf(addition.data, addition.variables)} onStored={onClose} />
      ) : (
        <RequestForm addition={addition} action={`Create ${one}`} bodyOf={kind.bodyOf} onCancel={onClose}>
          {(messages) => <Fields messages={messages} />}
        </RequestForm>
      )}
    </Dialog>
  )
}
