import { sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import { LruMap } from '#shared/lru-map'
import type { Source } from '#worker/search/schemas'
import type { Database } from '#worker/storage/database'
import { TimedCache } from '#worker/storage/timed-cache'

/**
 * Which catalog a search reads: that of the workspace, or that of the provider, as the switch (`search_enabled`) of the
 * workspace's catalog says.
 */

/** What a search must know of a catalog. It is part of the key of cached results. */
export interface SearchState {
  workspace_id: string
  search_enabled: number
  revision: number
  /** Part of the key beside the revision, because a restored database uses revisions again. */
  epoch: string
  /** 1 if the workspace is in another database now. */
  moved: number
}

/** Which catalog the last search of a workspace and type read. */
export interface LastSearch {
  /** The D1 binding of its database. */
  binding: string
  source: Source
  state: SearchState | undefined
}

/** Searches that an isolate remembers, one for each key. At some 300 bytes each they take about 1 MB. */
const MAX_LAST_SEARCHES = 4000

/** By workspace, type and requested source: these searches read the same catalog, unless the switch is changed. */
export const lastSearches = new LruMap<string, LastSearch>(MAX_LAST_SEARCHES)

interface SearchPlan {
  /** Whether the round trip that reads the switch from the workspace's database also searches there. */
  searchesOwnDatabase: boolean
  /** What happens at the same time: the provider's database is found and read, is only found, or is left alone. */
  provider: 'read' | 'find' | 'skip'
}

/**
 * What a search does in its first round trip. Only the switch in the workspace's database says whose catalog is
 * searched, so the plan relies on what the last search read. A wrong guess costs a round trip and changes no result.
 *
 * @param last what the last search read
 * @param ownBinding of the workspace's database
 * @param isRemembered whether the result is cached, if the catalog is what it was then
 */
export function planSearch(
  last: LastSearch | undefined,
  ownBinding: string,
  isRemembered: (last: LastSearch) => boolean,
): SearchPlan {
  // Nothing is known before the first search: it finds the provider in any case.
  if (last === undefined) return { searchesOwnDatabase: true, provider: 'find' }
  const isElsewhere = last.source === 'provider' && last.binding !== ownBinding
  if (isElsewhere) return { searchesOwnDatabase: false, provider: 'read' }
  return { searchesOwnDatabase: !isRemembered(last), provider: last.source === 'provider' ? 'find' : 'skip' }
}

/** The reserved workspace whose catalog is the provider's medical database (docs/contract.md#partner-search). */
export const PROVIDER_WORKSPACE = 'provider'

/** One entry: the binding of the provider's database. */
const providerBindings = new TimedCache<string>(CREDENTIAL_CACHE_SECONDS * 1000, 1)

/**
 * Name of the D1 binding of the provider's medical database; null until the operator has created it. Null is not
 * cached, so that searches find a new provider at once.
 *
 * @param control the control database
 */
export async function providerDatabaseBinding(control: Database, now: Date): Promise<string | null> {
  const cachedBinding = providerBindings.get(PROVIDER_WORKSPACE, now)
  if (cachedBinding !== undefined) return cachedBinding
  const [row] = await control.all<{ database_binding: string }>(
    sql`select database_binding from workspaces where workspace_id = ${PROVIDER_WORKSPACE}`,
  )
  if (row === undefined) return null
  providerBindings.set(PROVIDER_WORKSPACE, row.database_binding, now)
  return row.database_binding
}
