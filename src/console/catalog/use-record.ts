import type { ServiceClient } from '#client/client'
import type { RecordType } from '#shared/records/record-type'
import { useRead } from '../queries'

/** @throws ServiceError 404 */
export const readRecord = (client: ServiceClient, type: RecordType, id: string, signal?: AbortSignal) =>
  client.get('/admin/datasets/v1/{entity_id}/', {
    params: { entity_id: id },
    query: { type: type.name },
    signal,
    exact: true,
  })

/** One record as it is stored. @param fresh reloads it, for a form: the whole record is written back */
export function useRecord(type: RecordType, id: string, { fresh = false, enabled = true } = {}) {
  return useRead(['record', type.name, id], (client, signal) => readRecord(client, type, id, signal), {
    enabled,
    // Merging a response with the previous one would mistake exact numbers, which are objects, for plain objects.
    structuralSharing: false,
    ...(fresh && { staleTime: 0, refetchOnMount: 'always' }),
  })
}
