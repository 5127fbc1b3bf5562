import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../widgets/dialog'
import type { SubjectDialog } from '../widgets/hooks'
import { Id } from './access-list'
import { type Revocable, useRevocation } from './administration'

interface RevocationDialogProps<Item> {
  resource: Revocable
  revoking: SubjectDialog<Item>
  idOf: (item: Item) => string
  /** What the button does: `Revoke API key`. */
  action: string
  children: (item: Item) => ReactNode
  onRevoked: (item: Item) => void
}

export const RevocationDialog = <Item,>({
  resource,
  revoking,
  idOf,
  children,
  onRevoked,
  ...props
}: RevocationDialogProps<Item>) => (
  <SubjectConfirmation
    {...props}
    about={revoking}
    mutation={useRevocation(resource)}
    requestOf={idOf}
    dangerous={() => true}
    onDone={onRevoked}
  >
    {(item) => (
      <>
        <Id>{idOf(item)}</Id>
        {children(item)}
      </>
    )}
  </SubjectConfirmation>
)

interface SubjectConfirmationProps<Subject, Request> {
  about: SubjectDialog<Subject>
  mutation: UseMutationResult<unknown, Error, Request>
  requestOf: (subject: Subject) => Request
  /** What the button does: `Revoke API key`. */
  action: string
  dangerous: (subject: Subject) => boolean
  children: (subject: Subject) => ReactNode
  onDone: (subject: Subject) => void
}

/** Asks before something is done to one item of a list. */
export function SubjectConfirmation<Subject, Request>(props: SubjectConfirmationProps<Subject, Request>) {
  const { about, mutation, requestOf, action, dangerous, children, onDone } = props
  const { opened, subject } = about
  const close = () => {
    mutation.reset()
    about.close()
  }
  const confirm = (confirmed: Subject) =>
    mutation.mutate(requestOf(confirmed), {
      onSuccess: () => {
        close()
        onDone(confirmed)
      },
    })
  return (
    <ConfirmDialog
      opened={opened}
      title={`${action}?`}
      action={action}
      dangerous={subject !== undefined && dangerous(subject)}
      pending={mutation.isPending}
      error={mutation.error}
      onConfirm={() => subject !== undefined && confirm(subject)}
      onClose={close}
    >
      {subject !== undefined && children(subject)}
    </ConfirmDialog>
  )
}
