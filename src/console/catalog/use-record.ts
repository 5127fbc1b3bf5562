import { useQuery } from '@tanstack/react-query'
import type { ServiceClient } from '#client/client'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session-context'

/** @throws ServiceError 404 */
export const readRecord = (client: ServiceClient, type: RecordType, id: string, signal?: AbortSignal) =>
  client.get('/admin/datasets/v1/{entity_id}/', {
    params: { entity_id: id },
    query: { type: type.name },
    signal,
    exact: true,
  })

/** One record as it is stored. @param fresh reads it again, for a form: the whole record is written back */
export function useRecord(type: RecordType, id: string, { fresh = false, enabled = true } = {}) {
  const { client } = useSession()
  return useQuery({
    enabled,
    queryKey: ['record', type.name, id],
    queryFn: ({ signal }) => readRecord(client, type, id, signal),
    // Merging an answer with the one before would take the numbers that are kept as they are written for objects.
    structuralSharing: false,
    ...(fresh ? { staleTime: 0, refetchOnMount: 'always' as const } : {}),
  })
}
