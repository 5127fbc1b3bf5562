import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isStale } from '#client/service-error'
import type { RecordType } from '#shared/records/record-type'
import { catalogChanged } from '../catalog-changed'
import {
  type CatalogState,
  type Diff,
  expecting,
  type Preview,
  type RestoreResult,
  type WriteResult,
  withDiff,
} from '../service/answers'

/** What a write is asked for besides what it writes. */
interface PreviewedWriteQuery extends Partial<ReturnType<typeof expecting>> {
  dry_run?: boolean | undefined
  include?: 'diff' | undefined
  confirm_shrink?: boolean | undefined
}

interface PreviewedWriteOptions<Result> {
  type: RecordType
  /** Of the preview. It changes only if the person looks again, so it begins with `PREVIEW`. */
  queryKey: QueryKey
  send: (query: PreviewedWriteQuery, signal?: AbortSignal) => Promise<Result>
}

/** What a write would change, and the write itself, on the catalog as it was previewed. */
export function usePreviewedWrite<Result extends WriteResult | RestoreResult>({
  type,
  queryKey,
  send,
}: PreviewedWriteOptions<Result>) {
  const queries = useQueryClient()
  const [moved, setMoved] = useState(false)

  const write = useMutation({
    mutationFn: (check: CatalogState & Pick<Preview, 'shrink_guard'>) =>
      send({
        ...expecting(check),
        confirm_shrink: check.shrink_guard === undefined ? undefined : true,
      }),
    onSuccess: () => {
      // The result does not wait for the other pages.
      void catalogChanged(queries, type)
    },
    onError: async (error) => {
      if (!isStale(error)) return
      await preview.refetch()
      setMoved(true)
      write.reset()
    },
  })

  // It changes before the eyes of the person only if they ask for it, or if it is out of date.
  const preview = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Result & Diff> =>
      withDiff(await send({ dry_run: true, include: 'diff' }, signal)),
    enabled: !write.isSuccess,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })

  return { preview, write, moved }
}
