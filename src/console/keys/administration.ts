import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Data } from '#client/api'
import type { ServiceClient } from '#client/client'
import { MAX_PAGE_SIZE } from '#shared/limits'
import { useSession } from '../session'

/** What an admin manages: how it is listed, created and revoked. */
export interface Resource<Item, Body, Created> {
  name: string
  list(client: ServiceClient, signal: AbortSignal): Promise<{ items: readonly Item[] }>
  create(client: ServiceClient, body: Body): Promise<Created>
  revoke(client: ServiceClient, id: string): Promise<unknown>
}

/** The longest page: a workspace has some dozens of each. */
export const ONE_PAGE = { limit: MAX_PAGE_SIZE }

const MEMBERS = '/admin/workspace/v1/members'

export type Member = Data<'get', typeof MEMBERS>['items'][number]
/** A member as one is added, or given another role. */
export type MemberRole = Data<'post', typeof MEMBERS>

/** Adding a member who is one already gives that member the role. */
export const members = {
  name: 'members',
  list: (client, signal) => client.get(MEMBERS, { query: ONE_PAGE, signal }),
  create: (client, body) => client.post(MEMBERS, { body }),
  revoke: (client, email) => client.delete(`${MEMBERS}/{email}`, { params: { email } }),
} satisfies Resource<Member, MemberRole, MemberRole>

/** All of one kind that the workspace has, oldest first. */
export function useItems<Item>({ name, list }: Pick<Resource<Item, never, unknown>, 'name' | 'list'>) {
  const { client } = useSession()
  return useQuery({
    queryKey: [name],
    queryFn: async ({ signal }) => (await list(client, signal)).items,
  })
}

export function useAddition<Body, Created>({ name, create }: Pick<Resource<never, Body, Created>, 'name' | 'create'>) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) => create(client, body),
    onSettled: () => {
      queries.invalidateQueries({ queryKey: [name] })
    },
    // The answer may hold a secret: it is forgotten as soon as it is no longer shown.
    gcTime: 0,
  })
}

export type Revocable = Pick<Resource<never, never, unknown>, 'name' | 'revoke'>

/** Revokes one by its id; done when the list is without it. */
export function useRevocation({ name, revoke }: Revocable) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => revoke(client, id),
    onSettled: () => queries.invalidateQueries({ queryKey: [name] }),
  })
}
