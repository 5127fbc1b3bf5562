import { Alert, Text } from '@mantine/core'
import { ROLES, type Role } from '#shared/access/roles'
import { roleText } from '../roles'
import type { SubjectDialog } from '../widgets/use-subject'
import { type Member, members, useAddition } from './administration'
import { SubjectConfirmation } from './subject-confirmation'

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
}

/** Each role has everything of the one before it. */
const isLess = (role: Role, before: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(before)

export const RoleDialog = ({ change, onChanged }: RoleDialogProps) => (
  <SubjectConfirmation
    about={change}
    mutation={useAddition(members)}
    requestOf={({ member: { email }, role }) => ({ email, role })}
    action="Change role"
    dangerous={({ member, role }) => isLess(role, member.role)}
    onDone={onChanged}
  >
    {(subject) => <Consequences {...subject} />}
  </SubjectConfirmation>
)

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
