import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ServiceClient } from '#client/client'
import { MAX_PAGE_SIZE } from '#shared/limits'
import { useSession } from '../session-context'

/** What an admin manages: how it is listed, created and revoked. */
export interface Resource<Item, Body, Created> {
  name: string
  list(client: ServiceClient, signal: AbortSignal): Promise<{ items: readonly Item[] }>
  create(client: ServiceClient, body: Body): Promise<Created>
  revoke(client: ServiceClient, id: string): Promise<unknown>
}

/** The longest page, which is enough: a workspace has some dozens of each. */
export const ONE_PAGE = { limit: MAX_PAGE_SIZE }

/** All of one kind that the workspace has, oldest first. */
export function useItems<Item>({ name, list }: Pick<Resource<Item, never, unknown>, 'name' | 'list'>) {
  const { client } = useSession()
  return useQuery({
    queryKey: [name],
    queryFn: async ({ signal }) => (await list(client, signal)).items,
  })
}

/** A change of the items of one kind. It is done when the list shows it. */
export function useItemChange<Request, Answer>(
  name: string,
  change: (client: ServiceClient, request: Request) => Promise<Answer>,
) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: Request) => change(client, request),
    onSettled: () => queries.invalidateQueries({ queryKey: [name] }),
    // The answer may hold a secret: it is forgotten as soon as it is no longer shown.
    gcTime: 0,
  })
}
