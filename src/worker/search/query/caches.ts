import { sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import { LruMap } from '#shared/lru-map'
import type { RecordRow } from '#shared/records/stored-form'
import type { Source } from '#worker/search/schemas'
import type { Database } from '#worker/storage/database'
import { TimedCache } from '#worker/storage/timed-cache'

/** What an isolate remembers of searches. */

export interface SearchResult {
  rows: RecordRow[]
  /** How many rows at the end only nearly match. */
  approximate: number
}

/**
 * Characters of the search results that one isolate remembers, at most some 8 MB, and of a single result: one with
 * very large records would push out all others. A character takes up to two bytes of memory.
 */
const CACHED_RESULTS_CHARACTERS = 4_000_000
const CACHED_RESULT_CHARACTERS = 200_000

/** Size of an entry and of a row without the texts, in characters. */
const ENTRY_CHARACTERS = 500
const ROW_CHARACTERS = 200

const charactersOf = ({ rows }: SearchResult, key: string): number =>
  rows.reduce(
    (sum, { record_id, data }) => sum + ROW_CHARACTERS + record_id.length + data.length,
    ENTRY_CHARACTERS + key.length,
  )

/**
 * Results of searches, by everything that they depend on. The key includes the revision of the catalog, so no result
 * is ever outdated: after a write nobody asks for it again.
 */
export const resultCache = (capacity = CACHED_RESULTS_CHARACTERS, largest = CACHED_RESULT_CHARACTERS) =>
  new LruMap<string, SearchResult>(capacity, { sizeOf: charactersOf, largest })

/** The state of a catalog. It is part of the key of its cached results. */
export interface SearchedState {
  workspace_id: string
  search_enabled: number
  revision: number
  /** Part of the key beside the revision, because a restored database uses revisions again. */
  epoch: string
  /** 1 if the workspace is in another database now. */
  moved: number
}

/** Where the last search of a workspace and type ended. */
export interface LastSearch {
  binding: string
  source: Source
  state: SearchedState | undefined
}

/** An isolate remembers how the last search went in so many catalogs; at some 300 bytes each they take about 1 MB. */
const REMEMBERED_CATALOGS = 4000

/** By workspace, type and source: these searches end at the same catalog, unless the switch is changed. */
export const lastSearches = new LruMap<string, LastSearch>(REMEMBERED_CATALOGS)

interface SearchPlan {
  /** Whether the round trip that reads the switch searches as well. */
  searchesHere: boolean
  /** What happens at the same time: the provider's database is found and read, is only found, or is left alone. */
  provider: 'read' | 'find' | 'skip'
}

/**
 * Which catalog a search asks first. Only the switch in the workspace's database says whose catalog is searched, so the
 * search relies on where the last one ended. A wrong guess costs a round trip and changes no result.
 *
 * @param last where the last search ended
 * @param ownBinding of the workspace's database
 * @param isRemembered whether the result is cached, if the catalog is what it was then
 */
export function planSearch(
  last: LastSearch | undefined,
  ownBinding: string,
  isRemembered: (last: LastSearch) => boolean,
): SearchPlan {
  // Nothing is known before the first search: it finds the provider in any case.
  if (last === undefined) return { searchesHere: true, provider: 'find' }
  const isElsewhere = last.source === 'provider' && last.binding !== ownBinding
  if (isElsewhere) return { searchesHere: false, provider: 'read' }
  return { searchesHere: !isRemembered(last), provider: last.source === 'provider' ? 'find' : 'skip' }
}

/** The reserved workspace whose catalog is the provider's medical database (docs/contract.md#partner-search). */
export const PROVIDER_WORKSPACE = 'provider'

const PROVIDER_BINDING_CACHE_MS = CREDENTIAL_CACHE_SECONDS * 1000

/** One entry: the binding of the provider's database. */
const providerBindings = new TimedCache<string>(PROVIDER_BINDING_CACHE_MS, 1)

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
