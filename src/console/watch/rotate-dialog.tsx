import { Button, Group, Stack, Text } from '@mantine/core'
import { SecretValues } from '../keys/create-dialog'
import { Dialog } from '../widgets/dialog'
import type { SubjectDialog } from '../widgets/hooks'
import { Problem } from '../widgets/problem'
import { timeText } from '../wording'
import type { useWebhookActions, Webhook } from './resources'

interface RotateDialogProps {
  rotating: SubjectDialog<Webhook>
  rotate: ReturnType<typeof useWebhookActions>['rotate']
}

/** Asks before a secret is replaced, and then shows the new one. */
export function RotateDialog({ rotating: { opened, subject, close }, rotate }: RotateDialogProps) {
  const made = rotate.data
  return (
    <Dialog
      opened={opened}
      onClose={close}
      onClosed={rotate.reset}
      title={made === undefined ? 'Replace the secret?' : 'New secret'}
      size="lg"
      locked={rotate.isPending || made !== undefined}
    >
      {made !== undefined ? (
        <Stack>
          <Text>
            Messages carry the signatures of both secrets until {timeText(made.previous_until)}: give the new one to the
            receiver by then.
          </Text>
          <SecretValues values={[{ label: 'Secret', value: made.secret }]} onStored={close} />
        </Stack>
      ) : (
        <Stack>
          <Text className="breakable">{subject?.url}</Text>
          <Text>
            The secret of now is good for another day. If you replace it twice within a day, the first one ends at once:
            do so if it is known to somebody who should not have it.
          </Text>
          {rotate.error !== null && <Problem title="The secret was not replaced" error={rotate.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={rotate.isPending} data-autofocus>
              Cancel
            </Button>
            <Button loading={rotate.isPending} onClick={() => subject !== undefined && rotate.mutate(subject)}>
              Replace the secret
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
