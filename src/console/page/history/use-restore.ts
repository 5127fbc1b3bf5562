import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Change } from '#records/change'
import type { RecordType } from '#records/record-type'
import { catalogChanged, PREVIEW } from '../catalog-changed'
import { expecting, fullList, type Preview, withDiff } from '../service/answers'
import { isStale } from '../service/failures'
import { useSession } from '../session'

const RESTORE = '/admin/catalogs/v1/{type}/restore'

/**
 * The way back to an earlier state: what it would change, and the step itself, on the catalog as it was previewed.
 *
 * @param revision of the state
 */
export function useRestore(type: RecordType, revision: number) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [moved, setMoved] = useState(false)
  const params = { type: type.name }

  const restore = useMutation({
    mutationFn: (check: Preview) =>
      client.post(RESTORE, {
        params,
        query: {
          revision,
          ...expecting(check),
          confirm_shrink: check.shrink_guard === undefined ? undefined : true,
        },
      }),
    onSuccess: () => {
      // The result does not wait for the other pages.
      void catalogChanged(queries, type)
    },
    onError: async (error) => {
      if (!isStale(error)) return
      await preview.refetch()
      setMoved(true)
      restore.reset()
    },
  })

  // It changes before the eyes of the person only if they ask for it, or if it is out of date.
  const preview = useQuery({
    queryKey: [PREVIEW, type.name, revision],
    queryFn: async ({ signal }): Promise<Preview> => {
      const query = { revision, dry_run: true, include: 'diff' } as const
      return withDiff(await client.post(RESTORE, { params, query, signal }))
    },
    enabled: !restore.isSuccess,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  const listOf = async (check: Preview, change: Change | undefined): Promise<Blob> => {
    const query = { revision, ...fullList(check, change) }
    return (await client.file('post', RESTORE, { params, query })).blob()
  }

  return { preview, restore, listOf, moved }
}
