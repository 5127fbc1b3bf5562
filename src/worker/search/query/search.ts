import { type SQL, sql } from 'drizzle-orm'
import { MAX_SEARCH_MATCHES, MAX_SEARCH_OFFSET } from '#shared/limits'
import { LruMap } from '#shared/lru-map'
import type { RecordTypeName } from '#shared/records/record-type'
import { wordsOf } from '#shared/records/search-text'
import type { RecordRow } from '#shared/records/stored-form'
import type { Source } from '#worker/search/schemas'
import { isElsewhere } from '#worker/storage/placement/fences'
import type { WorkspaceDatabase } from '#worker/storage/placement/workspace-database'
import { approximateMatches } from './approximate'
import type { NearWord } from './near-words'
import { type LastSearch, lastSearches, PROVIDER_WORKSPACE, planSearch, type SearchState } from './search-plan'
import { ENOUGH_MATCHES, type SearchQuestion, type SearchRow, searchStatement } from './statement'

interface PartnerSearch {
  type: RecordTypeName
  q: string
  /** 1 to 50. */
  limit: number
  /** Matches that are skipped. */
  offset: number
  /** Whose catalog is searched, regardless of the switch; null if the switch decides. */
  source: Source | null
}

interface MatchPage {
  source: Source
  rows: RecordRow[]
  /** How many rows at the end only nearly match. */
  approximate: number
  /** Whether the page after this one can be asked for and has any. */
  hasMore: boolean
}

interface SearchResult {
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

const results = resultCache()

/** The states of the catalogs of some workspaces. A catalog that was never written to or switched has no row. */
const statesStatement = (type: RecordTypeName, workspaceIds: readonly string[]): SQL<SearchState> =>
  sql`select workspace_id, search_enabled, revision, epoch, ${isElsewhere(sql`catalogs.workspace_id`)} as moved
    from catalogs where workspace_id in ${workspaceIds} and type = ${type}`

const stateIn = (states: readonly SearchState[], workspaceId: string): SearchState | undefined =>
  states.find(({ workspace_id }) => workspace_id === workspaceId)

/** What one round trip to a database returns. */
interface FirstRead {
  /** The states of the catalogs of which the search reads one. */
  states: readonly SearchState[]
  /** Undefined if only the states were read. */
  matches: readonly SearchRow[] | undefined
}

/** Whose catalog is searched. */
type SearchedCatalog = Pick<SearchQuestion, 'workspaceId' | 'source'>

const PROVIDER: SearchedCatalog = { workspaceId: PROVIDER_WORKSPACE, source: 'workspace' }

/**
 * The best matches; and when there are fewer than five, the records that nearly match.
 *
 * @param matches rows of the first statement
 */
async function withNearMatches(
  db: WorkspaceDatabase,
  question: SearchQuestion,
  matches: readonly SearchRow[],
): Promise<SearchResult> {
  const { limit } = question
  const rows = matches.filter((row) => row.row_id !== null)
  if (rows.length >= Math.min(limit, ENOUGH_MATCHES)) return { rows: rows.slice(0, limit), approximate: 0 }
  const near: NearWord[] = JSON.parse(matches[0]?.near ?? '[]')
  const others = await approximateMatches(db, question, near, rows, limit - rows.length)
  return { rows: [...rows, ...others], approximate: others.length }
}

/** One search, and the round trips that it takes. */
class RunningSearch {
  readonly #words: readonly string[]
  readonly #search: PartnerSearch
  /** Matches of the page and before it, and one more, which tells whether there are more. */
  readonly #limit: number

  constructor(search: PartnerSearch) {
    this.#search = search
    this.#words = wordsOf(search.q)
    this.#limit = Math.min(search.offset + search.limit + 1, MAX_SEARCH_MATCHES)
  }

  #question(searched: SearchedCatalog): SearchQuestion {
    const { type, offset } = this.#search
    return { ...searched, type, offset, limit: this.#limit, words: this.#words }
  }

  #keyOf(binding: string, { workspace_id, revision, epoch }: SearchState): string {
    const { type, offset } = this.#search
    return JSON.stringify([binding, workspace_id, type, revision, epoch, this.#words, offset, this.#limit])
  }

  /** Whether the result is remembered, if the catalog is still what it was. */
  isRemembered({ binding, state }: Pick<LastSearch, 'binding' | 'state'>): boolean {
    return state !== undefined && results.get(this.#keyOf(binding, state)) !== undefined
  }

  /** @param searched whose catalog to search in the same round trip; null for none */
  async read(
    db: WorkspaceDatabase,
    workspaceIds: readonly string[],
    searched: SearchedCatalog | null,
  ): Promise<FirstRead> {
    const states = statesStatement(this.#search.type, workspaceIds)
    if (searched === null || this.#words.length === 0) return { states: await db.all(states), matches: undefined }
    const [rows, matches] = await db.batch([states, searchStatement(this.#question(searched))])
    return { states: rows, matches }
  }

  /** The page of matches at the catalog's revision. Takes the result from the cache, or searches and caches it. */
  async finish(
    db: WorkspaceDatabase,
    state: SearchState | undefined,
    matches: readonly SearchRow[] | undefined,
  ): Promise<Omit<MatchPage, 'source'>> {
    const { offset, limit } = this.#search
    const { rows, approximate } = await this.#find(db, state, matches)
    const page = rows.slice(offset, offset + limit)
    const exact = rows.length - approximate
    return {
      rows: page,
      approximate: Math.min(page.length, Math.max(0, offset + page.length - exact)),
      hasMore: rows.length > offset + limit && offset + limit <= MAX_SEARCH_OFFSET,
    }
  }

  async #find(
    db: WorkspaceDatabase,
    state: SearchState | undefined,
    matches: readonly SearchRow[] | undefined,
  ): Promise<SearchResult> {
    if (state === undefined || state.revision === 0 || this.#words.length === 0) return { rows: [], approximate: 0 }
    const key = this.#keyOf(db.binding, state)
    const cachedResult = results.get(key)
    if (cachedResult !== undefined) return cachedResult
    const question = this.#question({ workspaceId: state.workspace_id, source: 'workspace' })
    const result = await withNearMatches(db, question, matches ?? (await db.all(searchStatement(question))))
    results.set(key, result)
    return result
  }
}

/**
 * Searches the catalog of the workspace or of the provider, as the switch or the caller says. The first round trip to
 * the database reads the switch and the revision, so that both a switch and a write count at once. It searches in the
 * same transaction, unless an earlier search at the same revision is remembered.
 *
 * @param own database of the workspace's catalogs
 * @param findProvider finds the database of the provider's catalogs, null if there are none; called only when needed
 */
export async function partnerSearch(
  own: WorkspaceDatabase,
  workspaceId: string,
  findProvider: () => Promise<WorkspaceDatabase | null>,
  request: PartnerSearch,
): Promise<MatchPage> {
  const search = new RunningSearch(request)
  const searchKey = JSON.stringify([workspaceId, request.type, request.source])
  const last = lastSearches.get(searchKey)
  const plan = planSearch(last, own.binding, (lastSearch) => search.isRemembered(lastSearch))
  // Begun before the workspace's own database is read, so that both take one round trip. A fault is thrown below, where
  // the value is needed; the empty handler keeps it from counting as unhandled until then.
  const foundProvider = plan.provider === 'skip' ? undefined : findProvider()
  const earlyRead =
    plan.provider === 'read' ? foundProvider?.then((db) => db && readProvider(search, db, last)) : undefined
  for (const promise of [foundProvider, earlyRead]) promise?.catch(() => undefined)

  const searched = plan.searchesOwnDatabase ? { workspaceId, source: request.source } : null
  const ownRead = await search.read(own, [workspaceId, PROVIDER_WORKSPACE], searched)
  const ownState = stateIn(ownRead.states, workspaceId)
  const source = request.source ?? (ownState?.search_enabled === 1 ? 'workspace' : 'provider')
  if (source === 'workspace') {
    lastSearches.set(searchKey, { binding: own.binding, source, state: ownState })
    return { source, ...(await search.finish(own, ownState, ownRead.matches)) }
  }
  const providerDb = await (foundProvider ?? findProvider())
  if (providerDb === null) return { source, rows: [], approximate: 0, hasMore: false }
  // The bindings are compared after the read, because the workspace may have moved during it. If the provider has just
  // left the database that both were in, the search through `providerDb` follows it.
  const isInSameDatabase =
    providerDb.binding === own.binding && stateIn(ownRead.states, PROVIDER_WORKSPACE)?.moved !== 1
  const providerRead = isInSameDatabase
    ? ownRead
    : ((await earlyRead) ?? (await readProvider(search, providerDb, last)))
  const state = stateIn(providerRead.states, PROVIDER_WORKSPACE)
  lastSearches.set(searchKey, { binding: providerDb.binding, source, state })
  return { source, ...(await search.finish(providerDb, state, providerRead.matches)) }
}

/** Reads the provider's catalog in its own database. Searches it too, unless the result is remembered. */
const readProvider = (
  search: RunningSearch,
  providerDb: WorkspaceDatabase,
  last: LastSearch | undefined,
): Promise<FirstRead> => {
  const isRemembered = last?.source === 'provider' && search.isRemembered({ ...last, binding: providerDb.binding })
  return search.read(providerDb, [PROVIDER_WORKSPACE], isRemembered ? null : PROVIDER)
}
