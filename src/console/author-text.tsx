import { useQuery } from '@tanstack/react-query'
import { useSession } from './session-context'
import { authorText } from './wording'

const CACHE_MS = 300_000

/** `authorText` with the names of the programs of the workspace, as soon as they are there. */
export function useAuthorText(): (createdBy: string) => string {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['programs'],
    queryFn: async ({ signal }) => {
      const { items } = await client.get('/admin/workspace/v1/programs', { signal })
      return new Map(items.map(({ client_id, name }) => [client_id, name]))
    },
    staleTime: CACHE_MS,
  })
  return (createdBy) => authorText(createdBy, data)
}

/** Who wrote something, within a text. @param createdBy as `authorText` takes it */
export const Author = ({ createdBy }: { createdBy: string }) => <span translate="no">{useAuthorText()(createdBy)}</span>
