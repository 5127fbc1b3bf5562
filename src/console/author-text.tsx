import type { ServiceClient } from '#client/client'
import { useRead } from './queries'
import { authorText } from './wording'

const CACHE_MS = 300_000

async function readPrograms(client: ServiceClient, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { items } = await client.get('/admin/workspace/v1/programs', { signal })
  return new Map(items.map(({ client_id, name }) => [client_id, name]))
}

/** `authorText` with the names of the workspace's integrations, once they are loaded. */
export function useAuthorText(): (createdBy: string) => string {
  const { data, isPending } = useRead(['programs'], readPrograms, { staleTime: CACHE_MS })
  // Until the names are loaded, long IDs are not shown in their place, because the layout would shift.
  return (createdBy) => authorText(createdBy, isPending ? undefined : (data ?? new Map()))
}

/** Who wrote something, in a sentence. @param createdBy as for `authorText` */
export const Author = ({ createdBy }: { createdBy: string }) => <span translate="no">{useAuthorText()(createdBy)}</span>
