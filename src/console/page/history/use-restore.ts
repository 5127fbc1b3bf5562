import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import type { Change } from '#records/change'
import type { RecordType } from '#records/record-type'
import { catalogChanged, PREVIEW } from '../catalog-changed'
import { expecting, fullList, type Preview, type RestoreCheck, withDiff } from '../service/answers'
import { isStale } from '../service/failures'
import { useSession } from '../session'

const RESTORE = '/admin/catalogs/v1/{type}/restore'
const UNDO = '/admin/catalogs/v1/{type}/writes/{batch_id}/undo'

/** To the state after a revision, or before one write, which leaves what came after that. */
export type WayBack = { is: 'restore'; revision: number } | { is: 'undo'; id: string }

/** The calls that go a way back. */
function callsFor(client: ServiceClient, { name }: RecordType, way: WayBack) {
  if (way.is === 'undo') {
    const params = { type: name, batch_id: way.id }
    return {
      post: (query: Query<'post', typeof UNDO>, signal?: AbortSignal) =>
        client.post(UNDO, { params, query, signal }),
      file: (query: Query<'post', typeof UNDO>) => client.file('post', UNDO, { params, query }),
    }
  }
  const params = { type: name }
  const { revision } = way
  return {
    post: (query: Query<'post', typeof UNDO>, signal?: AbortSignal) =>
      client.post(RESTORE, { params, query: { ...query, revision }, signal }),
    file: (query: Query<'post', typeof UNDO>) =>
      client.file('post', RESTORE, { params, query: { ...query, revision } }),
  }
}

/** A way back: what it would change, and the step itself, on the catalog as it was previewed. */
export function useRestore(type: RecordType, way: WayBack) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [moved, setMoved] = useState(false)
  const calls = callsFor(client, type, way)

  const restore = useMutation({
    mutationFn: (check: Preview) =>
      calls.post({
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
      restore.reset()
    },
  })

  // It changes before the eyes of the person only if they ask for it, or if it is out of date.
  const preview = useQuery({
    queryKey: [PREVIEW, type.name, way],
    queryFn: async ({ signal }): Promise<RestoreCheck> =>
      withDiff(await calls.post({ dry_run: true, include: 'diff' }, signal)),
    enabled: !restore.isSuccess,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  const listOf = async (check: Preview, change: Change | undefined): Promise<Blob> =>
    (await calls.file(fullList(check, change))).blob()

  return { preview, restore, listOf, moved }
}
