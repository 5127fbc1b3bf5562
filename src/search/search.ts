import { sql } from 'drizzle-orm'
import { CACHED_RESULT_CHARACTERS, CACHED_RESULTS_CHARACTERS } from '#limits'
import type { RecordTypeName } from '#records/record-type'
import { wordsOf } from '#records/search-text'
import type { Database } from '#storage/database'
import type { Matches } from './matches'
import { searchCatalog } from './partner-search'
import { PROVIDER_WORKSPACE } from './provider'
import { ResultCache } from './result-cache'
import type { Source } from './schemas'

/** A database, and the name of its binding. */
export interface BoundDatabase {
  binding: string
  db: Database
}

export interface PartnerSearch {
  type: RecordTypeName
  q: string
  /** 1 to 50. */
  limit: number
  /** Whose catalog is searched, regardless of the switch; null if the switch decides. */
  source: Source | null
}

/** The state of a catalog that a search needs. */
interface CatalogState {
  catalog_id: number
  workspace_id: string
  search_enabled: number
  revision: number
  /** Part of the key beside the revision, because a restored database may use the same revisions again. */
  changed_at: number
}

const results = new ResultCache(CACHED_RESULTS_CHARACTERS, CACHED_RESULT_CHARACTERS)

/** The catalogs of a type of some workspaces. A catalog that was never written or switched has no row. */
const readStates = (db: Database, type: RecordTypeName, workspaceIds: readonly string[]) =>
  db.all<CatalogState>(
    sql`select catalog_id, workspace_id, search_enabled, revision, changed_at from catalogs
      where workspace_id in ${workspaceIds} and type = ${type}`,
  )

const stateOf = (states: readonly CatalogState[], workspaceId: string): CatalogState | undefined =>
  states.find(({ workspace_id }) => workspace_id === workspaceId)

/**
 * Searches the catalog of the workspace or of the provider, as the switch or the caller decides. One statement reads
 * the switch and the revision, so that both take effect at once. A search that was made before at the same revision
 * is answered from memory.
 *
 * @param own database of the workspace's catalogs @param provider returns the database of the provider's catalogs,
 *   null when there are none; called only when needed
 */
export async function partnerSearch(
  own: BoundDatabase,
  workspaceId: string,
  provider: () => Promise<BoundDatabase | null>,
  search: PartnerSearch,
): Promise<Matches & { source: Source }> {
  const states = await readStates(own.db, search.type, [workspaceId, PROVIDER_WORKSPACE])
  const enabled = stateOf(states, workspaceId)?.search_enabled === 1
  const source = search.source ?? (enabled ? 'workspace' : 'provider')
  if (source === 'workspace') {
    return { source, ...(await searchOnce(own, stateOf(states, workspaceId), search)) }
  }
  const theirs = await provider()
  if (theirs === null) return { source, rows: [], approximate: 0 }
  const known =
    theirs.binding === own.binding ? states : await readStates(theirs.db, search.type, [PROVIDER_WORKSPACE])
  return { source, ...(await searchOnce(theirs, stateOf(known, PROVIDER_WORKSPACE), search)) }
}

/** The result of a search at the present revision of its catalog, from the cache or new. */
async function searchOnce(
  { binding, db }: BoundDatabase,
  state: CatalogState | undefined,
  { type, q, limit }: PartnerSearch,
): Promise<Matches> {
  const words = wordsOf(q)
  if (state === undefined || state.revision === 0 || words.length === 0) return { rows: [], approximate: 0 }
  const { workspace_id: workspaceId, revision, changed_at } = state
  const key = JSON.stringify([binding, workspaceId, type, revision, changed_at, words, limit])
  const remembered = results.get(key)
  if (remembered !== undefined) return remembered
  const found = await searchCatalog(db, { catalogId: state.catalog_id, workspaceId, type }, words, limit)
  results.set(key, found)
  return found
}
