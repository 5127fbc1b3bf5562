import { Text } from '@mantine/core'
import type { RecordType } from '#records/record-type'
import { ConfirmDialog } from '../shell/confirm-dialog'

interface EmptyCatalogDialogProps {
  type: RecordType
  opened: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Asks before partners are led to a catalog in which there is nothing to find. */
export const EmptyCatalogDialog = ({ type, ...props }: EmptyCatalogDialogProps) => (
  <ConfirmDialog
    {...props}
    title={`Switch on without ${type.plural}?`}
    action="Switch on all the same"
    cancel="Leave it off"
    dangerous
  >
    <Text>
      Your catalog has no active {type.plural}. Once this is on, partners who search for {type.plural} find
      nothing, until you upload some or switch it off again.
    </Text>
  </ConfirmDialog>
)
