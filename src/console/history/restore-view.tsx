import { Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RecordType } from '#shared/records/record-type'
import { BackLink } from '../catalog/back-link'
import type { Write } from '../service/answers'
import { isRefusal } from '../service/failures'
import { type LeaveQuestion, useLeaveQuestion } from '../shell/leave-guard'
import { useAuthorText } from '../use-author-text'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { type RestoreKind, writeAddress } from './address'
import { ChangedLater } from './changed-later'
import { RestorePreview } from './restore-preview'
import { Restored } from './restored'
import { useRestore, type WayBack } from './use-restore'
import { useWrite } from './use-writes'
import { kindText, targetText } from './write-text'

const RESTORING: LeaveQuestion = {
  title: 'Leave while the catalog is being restored?',
  text: 'It may be restored all the same. Look under “History” afterwards.',
  leave: 'Leave',
}

interface RestoreViewProps {
  type: RecordType
  /** Of the write. */
  id: string
  target: RestoreKind
}

/** The way back to the state before or after a write: look at what would change, confirm. */
export function RestoreView({ type, id, target }: RestoreViewProps) {
  const write = useWrite(type, id)
  return (
    <Page
      above={<BackLink href={writeAddress(type, id)} label="What it did" />}
      title={target === 'undo' ? `Undo ${write.data ? `this ${kindText(write.data)}` : ''}` : 'Go back'}
      description={`${target === 'undo' ? 'Later changes stay. ' : ''}Nothing is changed before you have seen what would change, and confirmed it. You can undo it, too.`}
    >
      <Loaded query={write} name="entry" height={320}>
        {(loaded) => <Restore type={type} write={loaded} target={target} />}
      </Loaded>
    </Page>
  )
}

function Restore({ type, write, target }: { type: RecordType; write: Write; target: RestoreKind }) {
  const way: WayBack =
    target === 'undo' ? { is: 'undo', id: write.batch_id } : { is: 'restore', revision: write.revision }
  const { preview, restore, listOf, moved } = useRestore(type, way)
  const [isLeft, setLeft] = useState(false)
  const state = targetText(write, target, useAuthorText()(write.created_by))
  useLeaveQuestion(restore.isPending ? RESTORING : undefined)
  if (restore.isSuccess) {
    return <Restored type={type} target={target} state={state} result={restore.data} />
  }
  return (
    <Stack>
      {preview.isPending && (
        <>
          <Text role="status">Looking at what would change…</Text>
          <Skeleton height={320} aria-hidden />
        </>
      )}
      {preview.error !== null && (
        <Problem
          title={target === 'undo' ? 'This cannot be taken back' : 'The catalog cannot go back to that state'}
          error={preview.error}
          onRetry={() => preview.refetch()}
        />
      )}
      {restore.error !== null && (
        <Problem
          title={isRefusal(restore.error) ? 'The catalog was not restored' : 'The restore was interrupted'}
          error={restore.error}
          action="Look again"
          onRetry={() => {
            restore.reset()
            preview.refetch()
          }}
        />
      )}
      {preview.data?.changed_later !== undefined && (
        <ChangedLater
          type={type}
          total={preview.data.total}
          later={preview.data.changed_later}
          isLeft={isLeft}
          onLeave={() => setLeft(true)}
        />
      )}
      {preview.data !== undefined && (
        <RestorePreview
          // Another state of the catalog is to be confirmed by itself.
          key={preview.data.revision}
          type={type}
          write={write}
          state={state}
          check={preview.data}
          target={target}
          moved={moved}
          pending={restore.isPending || preview.isFetching}
          isOpen={preview.data.changed_later !== undefined && !isLeft}
          onList={(change) => listOf(preview.data, change)}
          onConfirm={() => restore.mutate(preview.data)}
        />
      )}
    </Stack>
  )
}
