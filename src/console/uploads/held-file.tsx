import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { hasStatus } from '#client/service-error'
import type { Change } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { catalogChanged, PREVIEW } from '../catalog-changed'
import { actionText, changesIn } from '../changes/counts'
import { NOTHING_WRITTEN } from '../changes/deactivation-notice'
import { usePreviewedWrite } from '../changes/use-previewed-write'
import { inUseText, WritePreview } from '../changes/write-preview'
import { fullList, type Preview, type Upload } from '../service/answers'
import { useSession } from '../session'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { WRITE_HELD } from '../upload/process/held-file'
import { ActionBar } from '../widgets/action-bar'
import { ConfirmDialog } from '../widgets/dialog'
import { Loading } from '../widgets/loaded'
import { Problem } from '../widgets/problem'
import { titleCase } from '../wording'
import { keptText, uploadTitle } from './outcome-text'

const WRITING_HELD_FILE: LeaveQuestion = {
  title: 'Leave while the file is being written?',
  text: 'It may be written all the same. Look under “History” afterwards.',
  leave: 'Leave',
}

/** How somebody has decided about a file; `gone` if it did not wait any more. */
export type Decision = 'approved' | 'discarded' | 'gone'

interface HeldFileProps {
  type: RecordType
  upload: Upload
  onDecided: (decision: Decision) => void
}

/** What a file that waits would change now, and the buttons that approve and discard it. */
export function HeldFileDecision({ type, upload, onDecided }: HeldFileProps) {
  const { preview, write, moved, discard, listOf } = useHeldFile(type, upload.upload_id)
  const [discarding, discarded] = useDisclosure(false)
  useLeaveQuestion(write.isPending ? WRITING_HELD_FILE : undefined)
  const isGone = [preview.error, write.error, discard.error].some((error) => hasStatus(error, 410))
  useEffect(() => {
    if (isGone) onDecided('gone')
  }, [isGone, onDecided])

  const check = preview.data
  const decide = {
    discardButton: (
      <Button variant="default" leftSection={<Trash2 size={16} />} disabled={write.isPending} onClick={discarded.open}>
        Discard
      </Button>
    ),
    pending: write.isPending || preview.isFetching,
    onApprove: (shown: Preview) => write.mutate(shown, { onSuccess: () => onDecided('approved') }),
  }
  return (
    <Stack>
      {preview.isPending && <Loading name="preview" height={320} />}
      {preview.error !== null && !isGone && (
        <Problem
          title="It cannot be said what the file would change now"
          error={preview.error}
          onRetry={preview.refetch}
        />
      )}
      {write.error !== null && !isGone && (
        <Problem
          title="The file was not approved"
          error={write.error}
          action="Look again"
          onRetry={() => {
            write.reset()
            preview.refetch()
          }}
        />
      )}
      {check === undefined ? (
        !preview.isPending && <ActionBar note={NOTHING_WRITTEN}>{decide.discardButton}</ActionBar>
      ) : (
        <HeldPreview type={type} upload={upload} check={check} moved={moved} listOf={listOf} {...decide} />
      )}
      <ConfirmDialog
        opened={discarding && !isGone}
        title={`Discard ${uploadTitle(upload)}?`}
        action="Discard the file"
        dangerous
        pending={discard.isPending}
        error={discard.error}
        onConfirm={() => discard.mutate(undefined, { onSuccess: () => onDecided('discarded') })}
        onClose={discarded.close}
      >
        <Text>
          The file is deleted and never written. The {type.plural} stay as they are. It cannot be undone; the program
          can send the file again.
        </Text>
      </ConfirmDialog>
    </Stack>
  )
}

interface HeldPreviewProps extends Pick<ReturnType<typeof useHeldFile>, 'listOf' | 'moved'> {
  type: RecordType
  upload: Upload
  check: Preview
  discardButton: ReactNode
  /** Whether it is being written, or looked at again. */
  pending: boolean
  onApprove: (check: Preview) => void
}

function HeldPreview(props: HeldPreviewProps) {
  const { type, upload, check, moved, listOf, discardButton, pending, onApprove } = props
  const changes = changesIn(check)
  return (
    <WritePreview
      type={type}
      check={check}
      title={changes === 0 ? 'The catalog has all of this already' : undefined}
      outcome={`${titleCase(type.plural)} ${inUseText(check)}`}
      moved={moved ? 'nothing was written. This is what the file would change now.' : undefined}
      buttons={discardButton}
      action={changes === 0 ? 'Approve' : `Approve: ${actionText(check).toLowerCase()}`}
      writesNothing
      pending={pending}
      onList={(change) => listOf(check, change)}
      onWrite={() => onApprove(check)}
    >
      {upload.keep_missing && <Text size="sm">{keptText(upload)}</Text>}
    </WritePreview>
  )
}

const UPLOAD = '/admin/catalogs/v1/{type}/uploads/{upload_id}'

/** A file that waits: what it would change now, and the two decisions. */
function useHeldFile(type: RecordType, uploadId: string) {
  const { client } = useSession()
  const queries = useQueryClient()
  const params = { type: type.name, upload_id: uploadId }
  const approval = usePreviewedWrite({
    type,
    queryKey: [PREVIEW, type.name, uploadId],
    send: (query, signal) => client.post(WRITE_HELD, { params, query, signal }),
  })
  const discard = useMutation({
    mutationFn: () => client.delete(UPLOAD, { params }),
    onSuccess: () => {
      // The page of the upload does not wait for the others.
      void catalogChanged(queries, type)
    },
  })

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  const listOf = async (check: Preview, change: Change | undefined): Promise<Blob> =>
    (await client.file('post', WRITE_HELD, { params, query: fullList(check, change) })).blob()

  return { ...approval, discard, listOf }
}
