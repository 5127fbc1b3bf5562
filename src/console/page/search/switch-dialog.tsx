import { Text } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import { ConfirmDialog } from '../shell/confirm-dialog'
import { countText } from '../wording'

export interface SwitchRequest {
  enabled: boolean
  activeRecords: number
}

interface SwitchDialogProps {
  type: RecordType
  opened: boolean
  request: SwitchRequest
  onClose: () => void
  onConfirm: () => void
}

/** Says what partners will see from now on, before it is so. */
export const SwitchDialog = ({ type, request, ...props }: SwitchDialogProps) => (
  <ConfirmDialog {...props} {...questionOf(type, request)}>
    <Text>{consequenceOf(type, request)}</Text>
    <Text size="sm" c="dimmed">
      It takes effect at once. You can switch back at any time, and try both searches below without switching.
    </Text>
  </ConfirmDialog>
)

function questionOf({ plural }: RecordType, { enabled, activeRecords }: SwitchRequest) {
  if (!enabled) {
    return { title: `Switch partner search of ${plural} off?`, action: 'Switch off', cancel: 'Leave it on' }
  }
  const cancel = 'Leave it off'
  return activeRecords === 0
    ? { title: `Switch on without ${plural}?`, action: 'Switch on all the same', cancel, dangerous: true }
    : { title: `Switch partner search of ${plural} on?`, action: 'Switch on', cancel }
}

function consequenceOf({ title, plural }: RecordType, { enabled, activeRecords }: SwitchRequest): string {
  if (!enabled) {
    return `From now on, partners who search for ${plural} find those of the provider's medical database, and no longer your own.`
  }
  if (activeRecords === 0) {
    return `Your catalog has no active ${plural}. From now on, partners who search for ${plural} find nothing, until you upload some or switch it off again.`
  }
  return `From now on, partners who search for ${plural} find your ${countText(activeRecords, `active ${title}`, `active ${plural}`)}, and no longer those of the provider's medical database.`
}
