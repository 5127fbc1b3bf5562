import { useQuery } from '@tanstack/react-query'
import type { RawRecord, RecordType } from '#records/record-type'
import { DATASETS } from '../service/answers'
import type { ServiceClient } from '../service/client'
import { useSession } from '../session'

/** @throws ServiceError 404 */
export const readRecord = (
  client: ServiceClient,
  type: RecordType,
  id: string,
  signal?: AbortSignal,
): Promise<RawRecord> => client.getExact(`${DATASETS}${encodeURIComponent(id)}`, { type: type.name }, signal)

/**
 * One record as it is stored.
 *
 * @param anew not what was read earlier: to be changed, and written as a whole
 */
export function useRecord(type: RecordType, id: string, { anew = false } = {}) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['record', type.name, id],
    queryFn: ({ signal }) => readRecord(client, type, id, signal),
    // Merging an answer with the one before would take the numbers that are kept as they are written for objects.
    structuralSharing: false,
    ...(anew ? { staleTime: 0, refetchOnMount: 'always' as const } : {}),
  })
}
