import type { ServiceClient } from '#client/client'
import { MAX_PAGE_SIZE } from '#shared/limits'
import { useRead } from '../queries'

/** A kind of item that an admin manages: how to list, create and revoke it. */
export interface Resource<Item, Body, Created> {
  name: string
  list(client: ServiceClient, signal: AbortSignal): Promise<{ items: readonly Item[] }>
  create(client: ServiceClient, body: Body): Promise<Created>
  revoke(client: ServiceClient, id: string): Promise<unknown>
}

/** The largest page is enough: a workspace has a few dozen of each. */
export const ONE_PAGE = { limit: MAX_PAGE_SIZE }

/** All items of one kind in the workspace, oldest first. */
export const useItems = <Item>({ name, list }: Pick<Resource<Item, never, unknown>, 'name' | 'list'>) =>
  useRead([name], async (client, signal) => (await list(client, signal)).items)
