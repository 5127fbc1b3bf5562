import { Dialog } from '../widgets/dialog'
import { titleCase } from '../wording'
import { useAddition } from './administration'
import type { Creatable } from './credential-kind'
import { RequestForm } from './request-form'
import { SecretValues } from './secret-values'

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
