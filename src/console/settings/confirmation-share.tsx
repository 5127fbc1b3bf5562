import { Button, Group, NumberInput, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session-context'
import { RequestForm } from '../widgets/form'

const shareText = (type: RecordType, share: number): string =>
  share === 0
    ? `You must type the number before any ${type.plural} are deactivated.`
    : `You must type the number before ${share} % or more of the active ${type.plural} are deactivated.`

/** Says from which share on the number has to be typed. Admins change the share here, for the whole workspace. */
export function ConfirmationShare({ type }: { type: RecordType }) {
  const { can } = useSession()
  const settings = useSettings()
  const [isOpen, setOpen] = useState(false)
  if (settings.data === undefined) return null
  const share = settings.data.confirm_deactivation_percent
  if (isOpen) return <ShareForm share={share} onClose={() => setOpen(false)} />
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {shareText(type, share)}
      </Text>
      {can('workspace:admin') && (
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
          Change the share
        </Button>
      )}
    </Group>
  )
}

function ShareForm({ share, onClose }: { share: number; onClose: () => void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (body: { confirm_deactivation_percent: number }) =>
      client.post('/admin/workspace/v1/settings', { body }),
    onSuccess: (settings) => {
      queries.setQueryData(SETTINGS, settings)
      onClose()
    },
  })
  return (
    <RequestForm
      mutation={save}
      action="Save the share"
      // What is not a number becomes NaN, which the service refuses with a message.
      bodyOf={(form) => ({
        confirm_deactivation_percent: Number.parseFloat(String(form.get('confirm_deactivation_percent'))),
      })}
      onCancel={onClose}
    >
      {(messages) => (
        <NumberInput
          name="confirm_deactivation_percent"
          label="Ask for the number from this share on, in percent"
          description={
            `For all catalogs of this workspace. 0 always asks; above ${DEFAULT_MAX_SHRINK} the service asks ` +
            'anyway.'
          }
          min={0}
          max={DEFAULT_MAX_SHRINK}
          allowDecimal={false}
          clampBehavior="strict"
          maw={420}
          defaultValue={share}
          error={messages.confirm_deactivation_percent}
          data-autofocus
        />
      )}
    </RequestForm>
  )
}

const SETTINGS = ['settings']

/** What admins have set for the workspace. */
function useSettings() {
  const { client } = useSession()
  return useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => client.get('/admin/workspace/v1/settings', { signal }),
  })
}

/** The share of active records, in percent, from which on the number has to be typed; 0 until it is loaded. */
export const useConfirmationShare = (): number => useSettings().data?.confirm_deactivation_percent ?? 0
