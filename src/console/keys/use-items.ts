import type { ServiceClient } from '#client/client'
import { MAX_PAGE_SIZE } from '#shared/limits'
import { useRead } from '../queries'

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
export const useItems = <Item>({ name, list }: Pick<Resource<Item, never, unknown>, 'name' | 'list'>) =>
  useRead([name], async (client, signal) => (await list(client, signal)).items)
