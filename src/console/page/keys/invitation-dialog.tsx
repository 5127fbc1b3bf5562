import { Button, Group, Stack, Text } from '@mantine/core'
import { useSession } from '../session'
import { CopyValue } from '../shell/copy-value'
import { Dialog } from '../shell/dialog'
import type { SubjectDialog } from '../shell/use-subject'
import type { MemberRole } from './administration'
import { invitationText } from './invitation'

interface InvitationDialogProps {
  invited: SubjectDialog<MemberRole>
}

/** A message that invites a member: the service sends none by itself. */
export function InvitationDialog({ invited }: InvitationDialogProps) {
  const { login } = useSession()
  const { opened, subject, close } = invited
  return (
    <Dialog opened={opened} onClose={close} title="Invite the member" size="lg">
      {subject !== undefined && (
        <Stack>
          <Text>
            No message is sent by this service. Copy this one and send it to{' '}
            <span className="breakable">{subject.email}</span>.
          </Text>
          <CopyValue label="Invitation" value={invitationText(subject, login, location.origin)} />
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
