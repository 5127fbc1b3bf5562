import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './dialog'
import type { SubjectDialog } from './hooks'

interface SubjectConfirmationProps<Subject, Request, Answer> {
  about: SubjectDialog<Subject>
  mutation: UseMutationResult<Answer, Error, Request>
  requestOf: (subject: Subject) => Request
  /** The action on the button: `Revoke API key`. */
  action: string
  dangerous: (subject: Subject) => boolean
  children: (subject: Subject) => ReactNode
  onDone: (subject: Subject, answer: Answer) => void
}

/** Asks for confirmation of an action on one item of a list. */
export function SubjectConfirmation<Subject, Request, Answer>(
  props: SubjectConfirmationProps<Subject, Request, Answer>,
) {
  const { about, mutation, requestOf, action, dangerous, children, onDone } = props
  const { opened, subject } = about
  const close = () => {
    mutation.reset()
    about.close()
  }
  const confirm = (confirmed: Subject) =>
    mutation.mutate(requestOf(confirmed), {
      onSuccess: (answer) => {
        close()
        onDone(confirmed, answer)
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
