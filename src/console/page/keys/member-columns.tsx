import { Badge, Group, NativeSelect } from '@mantine/core'
import { ROLES, type Role } from '#access/roles'
import type { Member } from '#workspace/schemas'
import type { Column } from '../shell/item-table'
import { timeText, titleCase } from '../wording'

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, label: titleCase(role) }))

interface MemberColumnsOptions {
  isOwn: (member: Member) => boolean
  /** Called when another role is chosen; the list shows it once the member has it. */
  onRole: (member: Member, role: Role) => void
}

/** What is shown of each member. */
export const memberColumns = ({ isOwn, onRole }: MemberColumnsOptions): readonly Column<Member>[] => [
  {
    label: 'Email address',
    cell: (member) => (
      <Group gap="xs">
        <span className="breakable">{member.email}</span>
        {isOwn(member) && <Badge variant="default">You</Badge>}
      </Group>
    ),
    isRowHeader: true,
  },
  {
    label: 'Role',
    cell: (member) => (
      <NativeSelect
        size="xs"
        w={120}
        aria-label={`Role of ${member.email}`}
        data={ROLE_CHOICES}
        value={member.role}
        onChange={(event) => onRole(member, event.currentTarget.value as Role)}
      />
    ),
  },
  { label: 'Member since', cell: ({ created_at }) => timeText(created_at), className: 'time-cell' },
]
