import type { ReactNode, RefObject } from 'react'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { type Revocable, useRevocation } from './administration'
import { Id } from './id'
import type { SubjectDialog } from './use-subject'

interface RevocationDialogProps<Item> {
  resource: Revocable
  revoking: SubjectDialog<Item>
  idOf: (item: Item) => string
  /** What the button does: `Revoke API key`. */
  action: string
  /** What will happen. */
  children: (item: Item) => ReactNode
  onRevoked: (item: Item) => void
  focusAfterwards: RefObject<HTMLElement | null>
}

/** Asks before one is revoked, or removed. */
export function RevocationDialog<Item>({
  resource,
  revoking,
  idOf,
  action,
  children,
  onRevoked,
  focusAfterwards,
}: RevocationDialogProps<Item>) {
  const revocation = useRevocation(resource)
  const { opened, subject } = revoking
  const close = () => {
    revocation.reset()
    revoking.close()
  }
  return (
    <ConfirmDialog
      opened={opened}
      title={`${action}?`}
      action={action}
      dangerous
      pending={revocation.isPending}
      error={revocation.error}
      onConfirm={() => {
        if (subject === undefined) return
        const onSuccess = () => {
          close()
          onRevoked(subject)
        }
        revocation.mutate(idOf(subject), { onSuccess })
      }}
      onClose={close}
      focusAfterwards={focusAfterwards}
    >
      {subject !== undefined && (
        <>
          <Id>{idOf(subject)}</Id>
          {children(subject)}
        </>
      )}
    </ConfirmDialog>
  )
}
