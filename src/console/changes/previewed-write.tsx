import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { hasStatus, isRefusal, isStale } from '#client/service-error'
import type { ChangeKind } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { type LeaveQuestion, useLeaveQuestion } from '../frame/leave-guard'
import { invalidateCatalog } from '../queries'
import {
  type CatalogState,
  type Diff,
  expecting,
  fullList,
  type Preview,
  type RestoreResult,
  type WriteResult,
  withDiff,
} from '../service/answers'
import { ActionBar } from '../widgets/action-bar'
import { Problem } from '../widgets/problem'
import { Loading } from '../widgets/query-result'
import { NOTHING_WRITTEN } from './deactivation-confirmation'
import { WritePreview, type WritePreviewProps } from './write-preview'

interface WriteQuery extends Partial<ReturnType<typeof expecting>> {
  dry_run?: boolean | undefined
  include?: 'diff' | undefined
  confirm_shrink?: boolean | undefined
}

/** The requests of a write. */
export interface WriteCalls<Result> {
  /** The query key of the preview. It begins with `PREVIEW`, so that only the user refreshes it. */
  key: QueryKey
  send: (query: WriteQuery, signal?: AbortSignal) => Promise<Result>
  list: (query: ReturnType<typeof fullList>) => Promise<{ blob(): Promise<Blob> }>
}

const WRITING: LeaveQuestion = {
  title: 'Leave while the catalog is being written?',
  text: 'It may still be written. Check “History” afterwards.',
  leave: 'Leave',
}

type PreviewTexts = Pick<WritePreviewProps, 'title' | 'outcome' | 'action' | 'open' | 'writesNothing' | 'children'>

interface PreviewedWriteProps<Result> {
  type: RecordType
  calls: WriteCalls<Result>
  cannotPreview: string
  notWritten: string
  textsOf: (check: Result & Diff) => PreviewTexts
  /** Other buttons next to the one that writes. @param isPending whether it is being written */
  buttons: (isPending: boolean, check: Preview | undefined) => ReactNode
  onWritten: (result: Result) => void
  /** Called if the content to write no longer exists. */
  onGone?: () => void
}

/**
 * Previews a write, and applies it to the catalog state that the preview has shown. If someone else has changed the
 * catalog in between, nothing is written, and the preview is shown again.
 */
export function PreviewedWrite<Result extends WriteResult | RestoreResult>(props: PreviewedWriteProps<Result>) {
  const { type, calls, cannotPreview, notWritten, textsOf, buttons, onWritten, onGone } = props
  const { preview, write, isChangedByOthers } = usePreviewedWrite(type, calls, onWritten)
  useLeaveQuestion(write.isPending ? WRITING : undefined)
  const isGone = onGone !== undefined && [preview.error, write.error].some((error) => hasStatus(error, 410))
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])
  if (isGone) return null

  const check = preview.data
  return (
    <>
      {preview.isPending && <Loading name="preview" height={320} />}
      <Problem title={cannotPreview} error={preview.error} onRetry={() => preview.refetch()} />
      <Problem
        title={isRefusal(write.error) ? notWritten : 'It may or may not have been written'}
        error={write.error}
        action="Check again"
        onRetry={() => {
          write.reset()
          preview.refetch()
        }}
      />
      {check === undefined ? (
        !preview.isPending && <ActionBar note={NOTHING_WRITTEN}>{buttons(false, undefined)}</ActionBar>
      ) : (
        <WritePreview
          // Each catalog state needs its own confirmation.
          key={check.revision}
          type={type}
          check={check}
          {...textsOf(check)}
          isChangedByOthers={isChangedByOthers}
          buttons={buttons(write.isPending, check)}
          pending={write.isPending || preview.isFetching}
          onList={async (change: ChangeKind | undefined) => (await calls.list(fullList(check, change))).blob()}
          onWrite={() => write.mutate(check)}
        />
      )}
    </>
  )
}

function usePreviewedWrite<Result extends WriteResult | RestoreResult>(
  type: RecordType,
  { key, send }: WriteCalls<Result>,
  onWritten: (result: Result) => void,
) {
  const queries = useQueryClient()
  const [isChangedByOthers, setChangedByOthers] = useState(false)

  const write = useMutation({
    mutationFn: (check: CatalogState & Pick<Preview, 'shrink_guard'>) =>
      send({ ...expecting(check), confirm_shrink: check.shrink_guard === undefined ? undefined : true }),
    onSuccess: (result) => {
      // The result is shown without waiting for other pages to reload.
      void invalidateCatalog(queries, type)
      onWritten(result)
    },
    onError: async (error) => {
      if (!isStale(error)) return
      await preview.refetch()
      setChangedByOthers(true)
      write.reset()
    },
  })

  // Only refreshed if the user asks for it, or if it is outdated.
  const preview = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Result & Diff> =>
      withDiff(await send({ dry_run: true, include: 'diff' }, signal)),
    enabled: !write.isSuccess,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })

  return { preview, write, isChangedByOthers }
}
