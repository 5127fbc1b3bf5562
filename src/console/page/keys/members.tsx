import { Alert, Badge, Button, Group, List, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef } from 'react'
import { ROLES, type Role } from '../../../auth/roles'
import type { Member } from '../../../workspace/schemas'
import { useSession } from '../session'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { timeText, titleCase } from '../wording'
import { AddMemberDialog } from './add-member-dialog'
import { useItems, useRevocation } from './administration'
import { Id } from './id'
import { type Column, ItemList } from './item-list'
import { type RoleChange, RoleDialog } from './role-dialog'
import { roleText } from './roles'
import { Section, type SectionProps } from './section'
import { useSubject } from './use-subject'

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, label: titleCase(role) }))

const Purpose = () => (
  <>
    <Text>People who may log in to this console, by the email address of their login.</Text>
    <List size="sm" mt={4}>
      {ROLES.map((role) => (
        <List.Item key={role}>{roleText(role)}</List.Item>
      ))}
    </List>
  </>
)

/** Who may log in, and as what. */
export function Members({ onDone }: SectionProps) {
  const { login, reload } = useSession()
  const members = useItems<Member>('members')
  const revocation = useRevocation('members')
  const [adding, addition] = useDisclosure(false)
  const changing = useSubject<RoleChange>()
  const removing = useSubject<Member>()
  const button = useRef<HTMLButtonElement>(null)
  const isOwn = ({ email }: Member) => email === login.email

  const columns: readonly Column<Member>[] = [
    {
      label: 'Email address',
      cell: (member) => (
        <Group gap="xs">
          <span className="credential-id">{member.email}</span>
          {isOwn(member) && <Badge variant="default">You</Badge>}
        </Group>
      ),
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
          onChange={(event) =>
            changing.open({ member, role: event.currentTarget.value as Role, isOwn: isOwn(member) })
          }
        />
      ),
    },
    { label: 'Member since', cell: ({ created_at }) => timeText(created_at) },
  ]

  const remove = (member: Member) =>
    revocation.mutate(member.email, {
      onSuccess: () => {
        if (isOwn(member)) return reload()
        removing.close()
        onDone(`${member.email} is no longer a member.`)
      },
    })

  return (
    <Section purpose={<Purpose />} action="Add member" onAction={addition.open} button={button}>
      <ItemList
        name="members"
        items={members}
        columns={columns}
        idOf={({ email }) => email}
        whenEmpty="Nobody is a member. Add the first one."
        actions={(member) => (
          <Button
            variant="default"
            size="xs"
            aria-label={`Remove ${member.email}`}
            onClick={() => {
              revocation.reset()
              removing.open(member)
            }}
          >
            Remove
          </Button>
        )}
      />
      <AddMemberDialog
        opened={adding}
        onClose={addition.close}
        members={members.data ?? []}
        onAdded={({ email, role }) => onDone(`${email} is now a member, with the role ${role}.`)}
        focusAfterwards={button}
      />
      <RoleDialog
        change={changing}
        onChanged={({ member, role, isOwn }) => {
          if (isOwn) reload()
          else onDone(`${member.email} now has the role ${role}.`)
        }}
        focusAfterwards={button}
      />
      <ConfirmDialog
        opened={removing.opened}
        title="Remove member?"
        action="Remove member"
        dangerous
        pending={revocation.isPending}
        error={revocation.error}
        onConfirm={() => removing.subject !== undefined && remove(removing.subject)}
        onClose={removing.close}
        focusAfterwards={button}
      >
        <Id>{removing.subject?.email}</Id>
        <Text>
          This person loses access within a minute. What they uploaded stays, and they can be added again.
        </Text>
        {removing.subject !== undefined && isOwn(removing.subject) && (
          <Alert color="red" variant="light" title="This is you">
            You lose access to this workspace at once, and only another admin can give it back.
          </Alert>
        )}
      </ConfirmDialog>
    </Section>
  )
}
