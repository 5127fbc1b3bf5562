import { Alert, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { ROLES, type Role } from '#access/roles'
import { roleText } from '../roles'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { type Member, members, useAddition } from './administration'
import type { SubjectDialog } from './use-subject'

/** A role that somebody is to have in place of another. */
export interface RoleChange {
  member: Member
  role: Role
  /** Whether it is the person who is asked. */
  isOwn: boolean
}

interface RoleDialogProps {
  change: SubjectDialog<RoleChange>
  onChanged: (change: RoleChange) => void
  focusAfterwards: RefObject<HTMLElement | null>
}

/** Each role has everything of the one before it. */
const isLess = (role: Role, before: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(before)

/** Asks before a member gets another role. */
export function RoleDialog({ change, onChanged, focusAfterwards }: RoleDialogProps) {
  const addition = useAddition(members)
  const { opened, subject } = change
  const close = () => {
    addition.reset()
    change.close()
  }
  return (
    <ConfirmDialog
      opened={opened}
      title="Change role?"
      action="Change role"
      dangerous={subject !== undefined && isLess(subject.role, subject.member.role)}
      pending={addition.isPending}
      error={addition.error}
      onConfirm={() => {
        if (subject === undefined) return
        const { member, role } = subject
        const onSuccess = () => {
          close()
          onChanged(subject)
        }
        addition.mutate({ email: member.email, role }, { onSuccess })
      }}
      onClose={close}
      focusAfterwards={focusAfterwards}
    >
      {subject !== undefined && <Consequences {...subject} />}
    </ConfirmDialog>
  )
}

const Consequences = ({ member, role, isOwn }: RoleChange) => (
  <>
    <Text className="breakable">
      {member.email}: from {member.role} to {role}
    </Text>
    <Text>
      {roleText(role)}
      {!isOwn && ' The change takes effect within a minute.'}
    </Text>
    {isOwn && (
      <Alert color="red" title="This is your own role">
        You lose this page at once, and only another admin can give you the role back.
      </Alert>
    )}
  </>
)
