import { Alert, Text } from '@mantine/core'
import type { RefObject } from 'react'
import type { Member } from '../../../workspace/schemas'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { useRevocation } from './administration'
import { Id } from './id'
import type { SubjectDialog } from './use-subject'

interface RemoveMemberDialogProps {
  removal: SubjectDialog<Member>
  isOwn: (member: Member) => boolean
  onRemoved: (member: Member) => void
  focusAfterwards: RefObject<HTMLElement | null>
}

/** Asks before a member is removed. */
export function RemoveMemberDialog({ removal, isOwn, onRemoved, focusAfterwards }: RemoveMemberDialogProps) {
  const revocation = useRevocation('members')
  const { opened, subject } = removal
  const close = () => {
    revocation.reset()
    removal.close()
  }
  return (
    <ConfirmDialog
      opened={opened}
      title="Remove member?"
      action="Remove member"
      dangerous
      pending={revocation.isPending}
      error={revocation.error}
      onConfirm={() => {
        if (subject === undefined) return
        const onSuccess = () => {
          close()
          onRemoved(subject)
        }
        revocation.mutate(subject.email, { onSuccess })
      }}
      onClose={close}
      focusAfterwards={focusAfterwards}
    >
      <Id>{subject?.email}</Id>
      <Text>
        This person loses access within a minute. What they uploaded stays, and they can be added again.
      </Text>
      {subject !== undefined && isOwn(subject) && (
        <Alert color="red" variant="light" title="This is you">
          You lose access to this workspace at once, and only another admin can give it back.
        </Alert>
      )}
    </ConfirmDialog>
  )
}
