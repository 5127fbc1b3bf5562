import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { hasStatus } from '#client/service-error'
import type { RecordType } from '#shared/records/record-type'
import { actionText, changesIn } from '../../changes/change-texts'
import { PreviewedWrite, type WriteCalls } from '../../changes/previewed-write'
import { activityText } from '../../changes/write-preview'
import { PREVIEW, useCatalogChange } from '../../queries'
import type { Upload, WriteResult } from '../../service/answers'
import { useSession } from '../../session-context'
import { WRITE_HELD } from '../../upload/process/held-file'
import { ConfirmDialog } from '../../widgets/dialog'
import { titleCase } from '../../wording'
import { keptText, uploadTitle } from './outcome-text'

/** The decision about an upload; `gone` if it was no longer pending. */
export type Decision = 'approved' | 'discarded' | 'gone'

interface HeldFileProps {
  type: RecordType
  upload: Upload
  onDecided: (decision: Decision) => void
}

/** Previews what a pending upload would change, with buttons to approve and to discard it. */
export function HeldFileDecision({ type, upload, onDecided }: HeldFileProps) {
  const { client } = useSession()
  const [isDiscardOpen, discardDialog] = useDisclosure(false)
  const onGone = useCallback(() => onDecided('gone'), [onDecided])
  const params = { type: type.name, upload_id: upload.upload_id }
  const calls: WriteCalls<WriteResult> = {
    key: [PREVIEW, type.name, upload.upload_id],
    send: (query, signal) => client.post(WRITE_HELD, { params, query, signal }),
    list: (query) => client.file('post', WRITE_HELD, { params, query }),
  }
  return (
    <>
      <PreviewedWrite
        type={type}
        calls={calls}
        cannotPreview="The preview could not be loaded"
        notWritten="The file was not approved"
        textsOf={(check) => ({
          title: changesIn(check) === 0 ? 'No changes: the catalog already matches the file' : undefined,
          outcome: `${titleCase(type.plural)} ${activityText(check)}`,
          action: changesIn(check) === 0 ? 'Approve' : `Approve: ${actionText(check).toLowerCase()}`,
          writesNothing: true,
          children: upload.keep_missing && <Text size="sm">{keptText(upload)}</Text>,
        })}
        buttons={(isPending) => (
          <Button
            variant="default"
            leftSection={<Trash2 size={16} />}
            disabled={isPending}
            onClick={discardDialog.open}
          >
            Discard
          </Button>
        )}
        onWritten={() => onDecided('approved')}
        onGone={onGone}
      />
      <DiscardDialog
        type={type}
        upload={upload}
        opened={isDiscardOpen}
        onClose={discardDialog.close}
        onDecided={onDecided}
      />
    </>
  )
}

function DiscardDialog({
  type,
  upload,
  opened,
  onClose,
  onDecided,
}: HeldFileProps & { opened: boolean; onClose: () => void }) {
  const discard = useCatalogChange(type, (client) =>
    client.delete('/admin/catalogs/v1/{type}/uploads/{upload_id}', {
      params: { type: type.name, upload_id: upload.upload_id },
    }),
  )
  return (
    <ConfirmDialog
      opened={opened}
      title={`Discard ${uploadTitle(upload)}?`}
      action="Discard the file"
      dangerous
      pending={discard.isPending}
      error={discard.error}
      onConfirm={() =>
        discard.mutateAsync().then(
          () => onDecided('discarded'),
          (error: unknown) => hasStatus(error, 410) && onDecided('gone'),
        )
      }
      onClose={onClose}
    >
      <Text>
        The file is deleted and never written. The {type.plural} stay as they are. This cannot be undone, but the
        program can send the file again.
      </Text>
    </ConfirmDialog>
  )
}
