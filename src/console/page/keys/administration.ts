import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session'

/** What an admin manages, as the API calls it. */
export type Resource = 'members' | 'api-keys' | 'partner-credentials' | 'encryption-keys'

const addressOf = (resource: Resource): string => `/admin/workspace/v1/${resource}`

/** All of one kind that the workspace has, oldest first. */
export function useItems<Item>(resource: Resource) {
  const { client } = useSession()
  return useQuery({
    queryKey: [resource],
    queryFn: async ({ signal }) => {
      const list = await client.get<{ items: readonly Item[] }>(addressOf(resource), undefined, signal)
      return list.items
    },
  })
}

/** Creates one, or adds a member, which is also how a member gets another role. */
export function useAddition<Body, Created>(resource: Resource) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) => client.post<Created>(addressOf(resource), body),
    onSettled: () => {
      queries.invalidateQueries({ queryKey: [resource] })
    },
    // The answer may hold a secret, which is to be forgotten as soon as it is no longer shown.
    gcTime: 0,
  })
}

/** Revokes one by its id; done when the list is without it. */
export function useRevocation(resource: Resource) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.delete(`${addressOf(resource)}/${encodeURIComponent(id)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: [resource] }),
  })
}
