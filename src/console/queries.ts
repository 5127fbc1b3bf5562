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
 * The console's cache of responses. After a change, responses to earlier requests are never shown. Without this, the
 * library would wait for a first request that is still running, and keep its outdated response.
 */
export class ConsoleQueries extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters): Promise<void> {
    await this.cancelQueries(filters)
    await super.invalidateQueries(filters)
  }
}

/** The first part of a preview's query key. Only the user refreshes previews. */
export const PREVIEW = 'restore-preview'

/** Reloads what the page shows of a catalog. The second part of a catalog's query keys is its type. */
export async function invalidateCatalog(queries: QueryClient, { name }: RecordType): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey: [what, type] }) => what === 'catalog-statuses' || (type === name && what !== PREVIEW),
  })
}

/**
 * Reads from the service.
 *
 * @param key the query key; for data of a catalog, its second part is the type
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

/** A change in the service, which is complete when the page shows it. @param refresh reloads the affected data */
function useChange<Request, Answer>(
  change: Change<Request, Answer>,
  refresh: (queries: QueryClient) => Promise<unknown>,
) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: Request) => change(client, request),
    // Also after a failure: if the response was lost, the outcome is unknown.
    onSettled: () => refresh(queries),
    // The response may contain a secret, so it is discarded as soon as it is no longer shown.
    gcTime: 0,
  })
}

/** A change of a catalog or its related data. */
export const useCatalogChange = <Request, Answer>(type: RecordType, change: Change<Request, Answer>) =>
  useChange(change, (queries) => invalidateCatalog(queries, type))

/** A change of a workspace's items. @param name the first part of their list's query key */
export const useItemChange = <Request, Answer>(name: string, change: Change<Request, Answer>) =>
  useChange(change, (queries) => queries.invalidateQueries({ queryKey: [name] }))
