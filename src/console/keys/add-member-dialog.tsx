import { Radio, Stack, TextInput } from '@mantine/core'
import { normalisedEmail } from '#shared/access/email'
import { ROLES, type Role } from '#shared/access/roles'
import { ROLE_MEANINGS } from '../roles'
import { Dialog } from '../widgets/dialog'
import { titleCase } from '../wording'
import { type Member, type MemberRole, members as memberResource, useAddition } from './administration'
import { RequestForm } from './request-form'

interface AddMemberDialogProps {
  opened: boolean
  onClose: () => void
  members: readonly Member[]
  onAdded: (member: MemberRole) => void
}

export function AddMemberDialog({ opened, onClose, members, onAdded }: AddMemberDialogProps) {
  const addition = useAddition(memberResource)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={addition.reset}
      title="Add member"
      locked={addition.isPending}
    >
      <RequestForm
        addition={addition}
        action="Add member"
        bodyOf={(form) => ({ email: String(form.get('email')).trim(), role: form.get('role') as Role })}
        // The service would change the member's role, which needs a confirmation of its own.
        check={({ email }) =>
          members.some((member) => member.email === normalisedEmail(email))
            ? { email: 'Is a member already. Change the role in the list.' }
            : {}
        }
        onCreated={(member) => {
          onClose()
          onAdded(member)
        }}
        onCancel={onClose}
      >
        {(messages) => (
          <>
            <TextInput
              name="email"
              type="email"
              label="Email address"
              description="The address with which this person logs in. You get an invitation to send afterwards."
              required
              autoComplete="off"
              error={messages.email}
              data-autofocus
            />
            <Radio.Group name="role" label="Role" defaultValue="viewer" error={messages.role}>
              <Stack gap="xs" mt={4}>
                {ROLES.map((role) => (
                  <Radio
                    key={role}
                    value={role}
                    label={titleCase(role)}
                    description={titleCase(ROLE_MEANINGS[role])}
                  />
                ))}
              </Stack>
            </Radio.Group>
          </>
        )}
      </RequestForm>
    </Dialog>
  )
}
