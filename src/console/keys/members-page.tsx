import { Alert, Badge, Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import type { Data } from '#client/api'
import { ROLES, type Role } from '#shared/access/caller'
import { normalisedEmail } from '#shared/access/email'
import { useItemChange } from '../queries'
import { useSession } from '../session-context'
import { CopyValue } from '../widgets/copy-value'
import { Dialog } from '../widgets/dialog'
import { tellDone } from '../widgets/done-notice'
import { type SubjectDialog, useSubject } from '../widgets/hooks'
import type { Column } from '../widgets/item-table'
import { Page } from '../widgets/page'
import { SubjectConfirmation } from '../widgets/subject-confirmation'
import { ROLE_MEANINGS, roleText, timeText, titleCase } from '../wording'
import { type AccessKind, AccessList } from './access-list'
import type { Creatable } from './create-dialog'
import { ONE_PAGE } from './use-items'

const MEMBERS = '/admin/workspace/v1/members'

type Member = Data<'get', typeof MEMBERS>['items'][number]
/** The body that adds a member, or changes a role. */
type MemberRole = Data<'post', typeof MEMBERS>

/** Parses the chosen role. */
const roleNamed = (name: unknown): Role => ROLES.find((role) => role === name) ?? 'viewer'

const NEW_MEMBER: Creatable<Member, MemberRole, MemberRole> = {
  resource: { name: 'members', create: (client, body) => client.post(MEMBERS, { body }) },
  one: 'member',
  create: 'Add member',
  Fields: ({ messages }) => (
    <>
      <TextInput
        name="email"
        type="email"
        label="Email address"
        description="The address with which this person logs in. You get an invitation to send afterwards."
        required
        error={messages.email}
        data-autofocus
      />
      <Radio.Group name="role" label="Role" defaultValue="viewer" error={messages.role}>
        <Stack gap="xs" mt={4}>
          {ROLES.map((role) => (
            <Radio key={role} value={role} label={titleCase(role)} description={titleCase(ROLE_MEANINGS[role])} />
          ))}
        </Stack>
      </Radio.Group>
    </>
  ),
  bodyOf: (form) => ({ email: String(form.get('email')).trim(), role: roleNamed(form.get('role')) }),
  // The service would change the member's role, which requires a separate confirmation.
  check: ({ email }, members) =>
    members.some((member) => member.email === normalisedEmail(email))
      ? { email: 'Is a member already. Change the role in the list.' }
      : {},
}

const emailOf = ({ email }: Member): string => email

/** The members of the workspace. */
export default function MembersPage() {
  const { login, reload } = useSession()
  const change = useSubject<RoleChange>()
  const invitation = useSubject<MemberRole>()
  const roleChange = useItemChange(NEW_MEMBER.resource.name, NEW_MEMBER.resource.create)
  const isOwn = ({ email }: Member) => email === login.email
  /** After users change their own role, reload what they may see. */
  const afterwards = (member: Member, message: string) => (isOwn(member) ? reload() : tellDone(message))

  const kind: AccessKind<Member, MemberRole, MemberRole> = {
    ...NEW_MEMBER,
    resource: {
      ...NEW_MEMBER.resource,
      list: (client, signal) => client.get(MEMBERS, { query: ONE_PAGE, signal }),
      revoke: (client, email) => client.delete(`${MEMBERS}/{email}`, { params: { email } }),
    },
    many: 'members',
    purpose: 'People who may log in to this console, by the email address of their login.',
    whenEmpty: 'No members yet. Add the first one.',
    columns: memberColumns({
      isOwn,
      onRole: (member, role) => change.open({ member, role, isOwn: isOwn(member) }),
    }),
    idOf: emailOf,
    nameOf: emailOf,
    end: 'Remove',
    consequence: (member) => <Removal isOwn={isOwn(member)} />,
  }
  return (
    <Page title="Members" description={`Your own role is ${login.role}.`}>
      <AccessList
        kind={kind}
        actions={(member) => (
          <Button
            variant="default"
            size="xs"
            aria-label={`Invitation for ${member.email}`}
            onClick={() => invitation.open(member)}
          >
            Invitation
          </Button>
        )}
        onCreated={(member) => {
          tellDone(`${member.email} is now a member, with the role ${member.role}.`)
          invitation.open(member)
        }}
        onEnded={(member) => afterwards(member, `${member.email} is no longer a member.`)}
      >
        <InvitationDialog invitation={invitation} />
        <SubjectConfirmation
          about={change}
          mutation={roleChange}
          requestOf={({ member: { email }, role }) => ({ email, role })}
          action="Change role"
          dangerous={({ member, role }) => isLess(role, member.role)}
          onDone={({ member, role }) => afterwards(member, `${member.email} now has the role ${role}.`)}
        >
          {(subject) => <Consequences {...subject} />}
        </SubjectConfirmation>
      </AccessList>
    </Page>
  )
}

interface RoleChange {
  member: Member
  role: Role
  isOwn: boolean
}

/** Whether a role has fewer permissions. In `ROLES`, each role includes the permissions of the previous one. */
const isLess = (role: Role, before: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(before)

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
        You lose this page immediately, and only another admin can give you the role back.
      </Alert>
    )}
  </>
)

const Removal = ({ isOwn }: { isOwn: boolean }) => (
  <>
    <Text>This person loses access within a minute. What they uploaded stays, and they can be added again.</Text>
    {isOwn && (
      <Alert color="red" title="This is you">
        You lose access to this workspace immediately, and only another admin can give it back.
      </Alert>
    )}
  </>
)

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, label: titleCase(role) }))

interface MemberColumnsOptions {
  isOwn: (member: Member) => boolean
  /** Called when another role is chosen. The list shows it when the change is complete. */
  onRole: (member: Member, role: Role) => void
}

const memberColumns = ({ isOwn, onRole }: MemberColumnsOptions): readonly Column<Member>[] => [
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
        onChange={(event) => onRole(member, roleNamed(event.currentTarget.value))}
      />
    ),
  },
  { label: 'Member since', cell: ({ created_at }) => timeText(created_at), className: 'time-cell' },
]

const invitationText = ({ email, role }: MemberRole, workspace: string): string =>
  [
    `You have access to the catalogs of ${workspace} (role: ${role}).`,
    `Open ${location.origin}/console/ and log in with the address ${email}.`,
    `If you are asked for a workspace, choose ${workspace}.`,
  ].join('\n')

/** A message to invite a member, because the service sends none. */
function InvitationDialog({ invitation }: { invitation: SubjectDialog<MemberRole> }) {
  const { login } = useSession()
  const { opened, subject, close } = invitation
  const workspace = login.workspaces.find(({ workspace_id }) => workspace_id === login.workspace_id)?.name ?? ''
  return (
    <Dialog opened={opened} onClose={close} title="Invite the member" size="lg">
      {subject !== undefined && (
        <Stack>
          <Text>
            No message is sent by this service. Copy this one and send it to{' '}
            <span className="breakable">{subject.email}</span>.
          </Text>
          <CopyValue label="Invitation" value={invitationText(subject, workspace)} />
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
