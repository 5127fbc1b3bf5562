import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { wordsOf } from '#shared/records/search-text'
import type { Source } from '#worker/search/schemas'
import { isElsewhere } from '#worker/storage/placement/fences'
import type { WorkspaceDatabase } from '#worker/storage/placement/workspace-database'
import { codeStatement } from './code-matches'
import { firstAsked, type LastSearch, lastSearchOf, noteSearch, type SearchedState } from './first-asked'
import { oneTripSearch, type SearchQuestion } from './one-trip-search'
import { type Begun, searchCatalog } from './partner-search'
import { PROVIDER_WORKSPACE } from './provider'
import { resultCache } from './result-cache'
import { matchesAfter, type SearchResult } from './search-result'

export interface PartnerSearch {
  type: RecordTypeName
  q: string
  /** 1 to 50. */
  limit: number
  /** Matches that are skipped. */
  offset: number
  /** Whose catalog is searched, regardless of the switch; null if the switch decides. */
  source: Source | null
}

const results = resultCache()

/** The catalogs of a type of some workspaces; one that was never written to or switched has none. */
const statesStatement = (type: RecordTypeName, workspaceIds: readonly string[]): SQL<SearchedState> =>
  sql`select workspace_id, search_enabled, revision, epoch,
      ${isElsewhere(sql`catalogs.workspace_id`)} as moved
    from catalogs where workspace_id in ${workspaceIds} and type = ${type}`

const stateIn = (states: readonly SearchedState[], workspaceId: string): SearchedState | undefined =>
  states.find(({ workspace_id }) => workspace_id === workspaceId)

/** What one trip to a database says. */
interface FirstTrip {
  states: readonly SearchedState[]
  /** Undefined if only the states were read. */
  begun: Begun | undefined
}

/** Whose catalog is searched. */
type Searched = Pick<SearchQuestion, 'workspaceId' | 'source'>

const PROVIDER: Searched = { workspaceId: PROVIDER_WORKSPACE, source: 'workspace' }

/** The statements of the first trip. */
const beginning = (asked: SearchQuestion) => [oneTripSearch(asked), codeStatement(asked)] as const

async function beginSearch(db: WorkspaceDatabase, asked: SearchQuestion): Promise<Begun> {
  const [first, codes] = await db.batch(beginning(asked))
  return { first, codes }
}

/** One search, and the trips that it takes. */
class RunningSearch {
  readonly #words: readonly string[]
  readonly #search: PartnerSearch
  /** Matches of the page and before it. */
  readonly #limit: number

  constructor(search: PartnerSearch) {
    this.#search = search
    this.#words = wordsOf(search.q)
    this.#limit = search.offset + search.limit
  }

  #question(searched: Searched): SearchQuestion {
    return { ...searched, type: this.#search.type, limit: this.#limit, words: this.#words }
  }

  #keyOf(binding: string, state: SearchedState): string {
    const { workspace_id, revision, epoch } = state
    const catalog = [binding, workspace_id, this.#search.type, revision, epoch]
    return JSON.stringify([...catalog, this.#words, this.#limit])
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
  ): Promise<FirstTrip> {
    const states = statesStatement(this.#search.type, workspaceIds)
    if (searched === null || this.#words.length === 0) {
      return { states: await db.all(states), begun: undefined }
    }
    const asked = this.#question(searched)
    const [rows, first, codes] = await db.batch([states, ...beginning(asked)])
    return { states: rows, begun: { first, codes } }
  }

  /** The page of the result at the revision that the catalog has: of the remembered one, or of a new one. */
  async finish(
    db: WorkspaceDatabase,
    state: SearchedState | undefined,
    begun: Begun | undefined,
  ): Promise<SearchResult> {
    return matchesAfter(await this.#find(db, state, begun), this.#search.offset)
  }

  async #find(
    db: WorkspaceDatabase,
    state: SearchedState | undefined,
    begun: Begun | undefined,
  ): Promise<SearchResult> {
    const words = this.#words
    if (state === undefined || state.revision === 0 || words.length === 0) return { rows: [], approximate: 0 }
    const key = this.#keyOf(db.binding, state)
    const remembered = results.get(key)
    if (remembered !== undefined) return remembered
    const catalog = { type: sql`${this.#search.type}`, workspace: sql`${state.workspace_id}` }
    const asked = this.#question({ workspaceId: state.workspace_id, source: 'workspace' })
    const found = await searchCatalog(
      db,
      catalog,
      words,
      this.#limit,
      begun ?? (await beginSearch(db, asked)),
    )
    results.set(key, found)
    return found
  }
}

/**
 * Searches the catalog of the workspace or of the provider, as the switch or the caller says. The first trip to the
 * database reads the switch and the revision, so that both a switch and a write count at once. It searches in the same
 * transaction, unless an earlier search at the same revision is remembered.
 *
 * @param own database of the workspace's catalogs @param provider returns the database of the provider's catalogs,
 *   null when there are none; called only when needed
 */
export async function partnerSearch(
  own: WorkspaceDatabase,
  workspaceId: string,
  provider: () => Promise<WorkspaceDatabase | null>,
  asked: PartnerSearch,
): Promise<SearchResult & { source: Source }> {
  const search = new RunningSearch(asked)
  const asking = { workspaceId, type: asked.type, source: asked.source }
  const last = lastSearchOf(asking)
  const begin = firstAsked(last, own.binding, (ended) => search.isRemembered(ended))
  const place = begin.provider === 'left' ? undefined : provider()
  const ahead =
    begin.provider === 'read'
      ? place?.then((theirs) => theirs && readProvider(search, theirs, last))
      : undefined
  for (const promise of [place, ahead]) promise?.catch(() => undefined)

  const searched = begin.searchesHere ? { workspaceId, source: asked.source } : null
  const { states, begun } = await search.read(own, [workspaceId, PROVIDER_WORKSPACE], searched)
  const mine = stateIn(states, workspaceId)
  const source = asked.source ?? (mine?.search_enabled === 1 ? 'workspace' : 'provider')
  if (source === 'workspace') {
    noteSearch(asking, { binding: own.binding, source, state: mine })
    return { source, ...(await search.finish(own, mine, begun)) }
  }
  const theirs = await (place ?? provider())
  if (theirs === null) return { source, rows: [], approximate: 0 }
  // Only now is it known which database has answered: the workspace may have moved. The provider may have left this
  // database a moment ago; the search through its own place follows it.
  const reading =
    theirs.binding === own.binding && stateIn(states, PROVIDER_WORKSPACE)?.moved !== 1
      ? { states, begun }
      : ((await ahead) ?? (await readProvider(search, theirs, last)))
  const state = stateIn(reading.states, PROVIDER_WORKSPACE)
  noteSearch(asking, { binding: theirs.binding, source, state })
  return { source, ...(await search.finish(theirs, state, reading.begun)) }
}

/** Reads the provider's catalog if it is in another database than the workspace's. */
const readProvider = (
  search: RunningSearch,
  theirs: WorkspaceDatabase,
  last: LastSearch | undefined,
): Promise<FirstTrip> => {
  const isRemembered =
    last?.source === 'provider' && search.isRemembered({ ...last, binding: theirs.binding })
  return search.read(theirs, [PROVIDER_WORKSPACE], isRemembered ? null : PROVIDER)
}
