import { useQuery } from '@tanstack/react-query'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session-context'

/** The state of a catalog, and how far back it can go. */
export function useCatalogStatus({ name }: RecordType) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['catalog-status', name],
    queryFn: ({ signal }) => client.get('/admin/catalogs/v1/{type}', { params: { type: name }, signal }),
  })
}

/** One write of a catalog. */
export function useWrite({ name }: RecordType, id: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['write', name, id],
    queryFn: ({ signal }) =>
      client.get('/admin/catalogs/v1/{type}/writes/{batch_id}', {
        params: { type: name, batch_id: id },
        signal,
      }),
  })
}
