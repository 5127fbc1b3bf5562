import {
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { ServiceClient } from '#client/client'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from './session-context'

/**
 * What the console has read from the service. After a change, nothing is shown that was asked for before it. Without
 * this, the library would wait for a first answer that is on its way, and keep it.
 */
export class ConsoleQueries extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters): Promise<void> {
    await this.cancelQueries(filters)
    await super.invalidateQueries(filters)
  }
}

/** The first part of the query key of a preview, which only the person refreshes. */
export const PREVIEW = 'restore-preview'

/** Reads again what is on screen of a catalog. The second part of the query keys of a catalog is its type. */
export async function invalidateCatalog(queries: QueryClient, { name }: RecordType): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey: [what, type] }) => what === 'catalog-statuses' || (type === name && what !== PREVIEW),
  })
}

/**
 * Reads from the service.
 *
 * @param key names what is read; of what belongs to a catalog, the second part is its type
 */
export function useRead<Answer>(
  key: QueryKey,
  read: (client: ServiceClient, signal: AbortSignal) => Promise<Answer>,
  options?: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'>,
) {
  const { client } = useSession()
  return useQuery({ queryKey: key, queryFn: ({ signal }) => read(client, signal), ...options })
}

type Change<Request, Answer> = (client: ServiceClient, request: Request) => Promise<Answer>

/** A change in the service. It is done when what is on screen shows it. @param refresh reads that again */
function useChange<Request, Answer>(
  change: Change<Request, Answer>,
  refresh: (queries: QueryClient) => Promise<unknown>,
) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: Request) => change(client, request),
    // After a failure too: an answer that was lost leaves open what was done.
    onSettled: () => refresh(queries),
    // The answer may hold a secret: it is forgotten as soon as it is no longer shown.
    gcTime: 0,
  })
}

/** A change of a catalog, or of what belongs to one. */
export const useCatalogChange = <Request, Answer>(type: RecordType, change: Change<Request, Answer>) =>
  useChange(change, (queries) => invalidateCatalog(queries, type))

/** A change of what the workspace has. @param name the first part of the query key of their list */
export const useItemChange = <Request, Answer>(name: string, change: Change<Request, Answer>) =>
  useChange(change, (queries) => queries.invalidateQueries({ queryKey: [name] }))
