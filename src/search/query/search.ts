import { type SQL, sql } from 'drizzle-orm'
import { CACHED_RESULT_CHARACTERS, CACHED_RESULTS_CHARACTERS, REMEMBERED_CATALOGS } from '#limits'
import type { RecordTypeName } from '#records/record-type'
import { wordsOf } from '#records/search-text'
import type { Source } from '#search/schemas'
import { isGone } from '#storage/placement/fences'
import type { WorkspaceDatabase } from '#storage/placement/workspace-database'
import { type FirstQuestion, type FirstRow, firstStatement } from './first-statement'
import type { Matches } from './matches'
import { searchCatalog } from './partner-search'
import { PROVIDER_WORKSPACE } from './provider'
import { ResultCache } from './result-cache'

export interface PartnerSearch {
  type: RecordTypeName
  q: string
  /** 1 to 50. */
  limit: number
  /** Whose catalog is searched, regardless of the switch; null if the switch decides. */
  source: Source | null
}

/** What has to be known of a catalog, whose results are remembered by it. */
interface CatalogState {
  workspace_id: string
  search_enabled: number
  revision: number
  /** Part of the key beside the revision, because a restored database uses revisions again. */
  epoch: string
  /** Number of the last list of its words. The scheduled run can add lists without a write. */
  last_list: number | null
  /** 1 where the workspace is in another database now. */
  moved: number
}

const results = new ResultCache(CACHED_RESULTS_CHARACTERS, CACHED_RESULT_CHARACTERS)

/** Where the last search of a workspace and type ended. Says what to ask first, and nothing else relies on it. */
interface LastSearch {
  binding: string
  source: Source
  state: CatalogState | undefined
}

const lastSearches = new Map<string, LastSearch>()

function remember(key: string, last: LastSearch): void {
  lastSearches.delete(key)
  if (lastSearches.size >= REMEMBERED_CATALOGS) lastSearches.delete(lastSearches.keys().next().value!)
  lastSearches.set(key, last)
}

/** The catalogs of a type of some workspaces; one that was never written to or switched has none. */
const statesStatement = (type: RecordTypeName, workspaceIds: readonly string[]): SQL<CatalogState> =>
  sql`select workspace_id, search_enabled, revision, epoch,
      (select max(number) from search_word_lists where catalog_id = catalogs.catalog_id) as last_list,
      ${isGone(sql`catalogs.workspace_id`)} as moved
    from catalogs where workspace_id in ${workspaceIds} and type = ${type}`

const stateOf = (states: readonly CatalogState[], workspaceId: string): CatalogState | undefined =>
  states.find(({ workspace_id }) => workspace_id === workspaceId)

/** What one trip to a database says. */
interface Reading {
  states: readonly CatalogState[]
  /** Rows of `firstStatement`; undefined where it was not asked. */
  first: readonly FirstRow[] | undefined
}

/** Whose catalog is searched. */
type Searched = Pick<FirstQuestion, 'workspaceId' | 'source'>

const PROVIDER: Searched = { workspaceId: PROVIDER_WORKSPACE, source: 'workspace' }

/** One search, and the trips that it takes. */
class Search {
  readonly #words: readonly string[]
  readonly #search: PartnerSearch

  constructor(search: PartnerSearch) {
    this.#search = search
    this.#words = wordsOf(search.q)
  }

  #question(searched: Searched): FirstQuestion {
    const { type, limit } = this.#search
    return { ...searched, type, limit, words: this.#words }
  }

  #keyOf(binding: string, state: CatalogState): string {
    const { workspace_id, revision, epoch, last_list } = state
    const { type, limit } = this.#search
    return JSON.stringify([binding, workspace_id, type, revision, epoch, last_list, this.#words, limit])
  }

  /** Whether the result is remembered, if the catalog is still what it was. */
  isRemembered({ binding, state }: Pick<LastSearch, 'binding' | 'state'>): boolean {
    return state !== undefined && results.get(this.#keyOf(binding, state)) !== undefined
  }

  /** @param searched whose catalog to search in the same trip; null for none */
  async read(
    db: WorkspaceDatabase,
    workspaceIds: readonly string[],
    searched: Searched | null,
  ): Promise<Reading> {
    const states = statesStatement(this.#search.type, workspaceIds)
    if (searched === null || this.#words.length === 0) {
      return { states: await db.all(states), first: undefined }
    }
    const [rows, first] = await db.batch([states, firstStatement(this.#question(searched))])
    return { states: rows, first }
  }

  /** The result at the revision that the catalog has: the remembered one, or a new one. */
  async finish(
    db: WorkspaceDatabase,
    state: CatalogState | undefined,
    first: readonly FirstRow[] | undefined,
  ): Promise<Matches> {
    const words = this.#words
    if (state === undefined || state.revision === 0 || words.length === 0) return { rows: [], approximate: 0 }
    const key = this.#keyOf(db.binding, state)
    const remembered = results.get(key)
    if (remembered !== undefined) return remembered
    const searched = { workspaceId: state.workspace_id, source: 'workspace' } as const
    const begun = first ?? (await db.all(firstStatement(this.#question(searched))))
    const { type, limit } = this.#search
    const catalog = { type: sql`${type}`, workspace: sql`${state.workspace_id}` }
    const found = await searchCatalog(db, catalog, words, limit, begun)
    results.set(key, found)
    return found
  }
}

/**
 * Searches the catalog of the workspace or of the provider, as the switch or the caller says. The first trip to the
 * database reads the switch and the revision, so that both a switch and a write count at once, and searches in the same
 * transaction; or it does not search, where the result is remembered from an earlier search at the same revision.
 *
 * @param own database of the workspace's catalogs @param provider returns the database of the provider's catalogs,
 *   null when there are none; called only when needed
 */
export async function partnerSearch(
  own: WorkspaceDatabase,
  workspaceId: string,
  provider: () => Promise<WorkspaceDatabase | null>,
  asked: PartnerSearch,
): Promise<Matches & { source: Source }> {
  const search = new Search(asked)
  const key = JSON.stringify([workspaceId, asked.type, asked.source])
  const last = lastSearches.get(key)
  const isElsewhere = last?.source === 'provider' && last.binding !== own.binding
  // Looked up at the same time: where a search is the first one here, the provider's place is not known yet.
  const place = last?.source === 'workspace' ? undefined : provider()
  const ahead = isElsewhere
    ? place!.then((theirs) => theirs && readProvider(search, theirs, last))
    : undefined
  for (const promise of [place, ahead]) promise?.catch(() => undefined)

  const isSearchedHere = !isElsewhere && !(last && search.isRemembered(last))
  const ids = [workspaceId, PROVIDER_WORKSPACE]
  const { states, first } = await search.read(
    own,
    ids,
    isSearchedHere ? { workspaceId, source: asked.source } : null,
  )
  const mine = stateOf(states, workspaceId)
  const source = asked.source ?? (mine?.search_enabled === 1 ? 'workspace' : 'provider')
  if (source === 'workspace') {
    remember(key, { binding: own.binding, source, state: mine })
    return { source, ...(await search.finish(own, mine, first)) }
  }
  const theirs = await (place ?? provider())
  if (theirs === null) return { source, rows: [], approximate: 0 }
  // Only now is it known which database has answered: the workspace may have moved. The provider may have left this
  // database a moment ago; the search through its own place follows it.
  const reading =
    theirs.binding === own.binding && stateOf(states, PROVIDER_WORKSPACE)?.moved !== 1
      ? { states, first }
      : ((await ahead) ?? (await readProvider(search, theirs, last)))
  const state = stateOf(reading.states, PROVIDER_WORKSPACE)
  remember(key, { binding: theirs.binding, source, state })
  return { source, ...(await search.finish(theirs, state, reading.first)) }
}

/** Reads the provider's catalog where it is in another database than the workspace's. */
const readProvider = (
  search: Search,
  theirs: WorkspaceDatabase,
  last: LastSearch | undefined,
): Promise<Reading> => {
  const isRemembered =
    last?.source === 'provider' && search.isRemembered({ ...last, binding: theirs.binding })
  return search.read(theirs, [PROVIDER_WORKSPACE], isRemembered ? null : PROVIDER)
}
