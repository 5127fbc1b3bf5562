import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { MAX_SEARCH_MATCHES, MAX_SEARCH_OFFSET } from '#shared/limits'
import type { RecordTypeName } from '#shared/records/record-type'
import type { RecordRow } from '#shared/records/stored-form'
import { foldedWords } from '#shared/text/fold'
import type { MatchGroup, Search, Source } from '#worker/search/schemas'
import type { Database, Statement } from '#worker/storage/database'
import { codesOf, NO_CODES } from './codes'
import { type OtherQuery, otherQueries } from './corrections'
import { readNeeds, textOf } from './needs'
import {
  ENOUGH_MATCHES,
  type FoundRecord,
  PROVIDER_WORKSPACE,
  type SearchQuestion,
  type SearchRow,
  searchStatement,
} from './statement'

/** A search. Its source is null if the workspace's setting decides which catalog to search. */
type PartnerSearch = Omit<Search, 'source'> & { source: Source | null }

interface MatchPage {
  source: Source
  rows: RecordRow[]
  /** The kinds of the rows, in their order. */
  groups: MatchGroup[]
  /** Whether there is a next page that may be requested. */
  hasMore: boolean
}

/** Matches of one kind. */
interface FoundGroup extends Omit<MatchGroup, 'count'> {
  rows: RecordRow[]
}

/** Size of the cache of results in characters (8 MB), and of its largest entry, which must not evict all others. */
const CACHED_RESULTS_CHARACTERS = 4_000_000
const CACHED_RESULT_CHARACTERS = 200_000

/** Size of an entry and of a row without the texts, in characters. */
const ENTRY_CHARACTERS = 500
const ROW_CHARACTERS = 200

/** The matches of a search, and the catalog's epoch at that time. */
interface CachedResult {
  epoch: string
  groups: readonly FoundGroup[]
}

const charactersOf = ({ groups }: CachedResult, key: string): number =>
  groups
    .flatMap(({ rows }) => rows)
    .reduce(
      (sum, { record_id, data }) => sum + ROW_CHARACTERS + record_id.length + data.length,
      ENTRY_CHARACTERS + key.length,
    )

/** Results by search. The database compares the epoch, and searches again in the same round trip if it has changed. */
const results = new LRUCache<string, CachedResult>({
  maxSize: CACHED_RESULTS_CHARACTERS,
  maxEntrySize: CACHED_RESULT_CHARACTERS,
  sizeCalculation: charactersOf,
})

/** The catalogs of a workspace and of the provider that are in one database. */
interface CatalogRow {
  workspace_id: string
  search_enabled: number
  epoch: string
}

const exactGroups = (rows: readonly FoundRecord[], query: string): FoundGroup[] => [
  { match: 'exact', query: null, left_out: [], rows: rows.filter(({ is_begun }) => !is_begun) },
  { match: 'beginning', query, left_out: [], rows: rows.filter(({ is_begun }) => is_begun) },
]

/**
 * Groups of approximate matches, up to the distance at which there are five. Uses shortened queries only if no
 * corrected query finds anything.
 *
 * @param found the matches of each query, best first
 * @param known row IDs that the response already contains
 */
function approximateGroups(
  queries: readonly OtherQuery[],
  found: readonly (readonly SearchRow[])[],
  known: ReadonlySet<number>,
): FoundGroup[] {
  const seen = new Set(known)
  const groups: FoundGroup[] = []
  let last: OtherQuery | undefined
  for (const [n, query] of queries.entries()) {
    const isNext = last !== undefined && (last.match !== query.match || last.distance !== query.distance)
    const isEnough = query.match === 'left_out' ? seen.size > known.size : seen.size >= ENOUGH_MATCHES
    if (isNext && isEnough) break
    last = query
    const rows = (found[n] ?? []).flatMap((row) => (row.row_id === null || seen.has(row.row_id) ? [] : [row]))
    for (const { row_id } of rows) seen.add(row_id)
    groups.push({
      match: query.match,
      query: textOf(query.needs),
      left_out: query.leftOut.map((need) => textOf([need])),
      rows,
    })
  }
  return groups
}

/** A part of the groups, as a page shows them. */
function pageOf(all: readonly FoundGroup[], offset: number, limit: number): Pick<MatchPage, 'rows' | 'groups'> {
  const rows: RecordRow[] = []
  const groups: MatchGroup[] = []
  let before = 0
  for (const { rows: groupRows, ...group } of all) {
    const shown = groupRows.slice(Math.max(0, offset - before), Math.max(0, offset + limit - before))
    before += groupRows.length
    if (shown.length > 0) groups.push({ ...group, count: shown.length })
    rows.push(...shown)
  }
  return { rows, groups }
}

/** Reads the catalogs of the workspace and of the provider in a database, and searches the right one. */
async function searchIn(db: Database, workspaceId: string, { type, source, q, offset, limit }: PartnerSearch) {
  const catalogs = sql<CatalogRow>`select workspace_id, search_enabled, epoch from catalogs
    where workspace_id in ${[workspaceId, PROVIDER_WORKSPACE]} and type = ${type}`
  const words = foldedWords(q)
  if (words.length === 0) return { catalogs: await db.all(catalogs), matches: null }
  // One more match than needed shows whether there is a next page.
  const most = Math.min(offset + limit + 1, MAX_SEARCH_MATCHES)
  const key = JSON.stringify([workspaceId, type, source, q, offset, most])
  const cachedResult = results.get(key)
  const own = ownQuestion(workspaceId, type, q, most)
  const question = { ...own, source, offset, asksNearWords: true, knownEpoch: cachedResult?.epoch ?? '' }
  const [states, rows] = await db.batch([catalogs, searchStatement(question)])
  return { catalogs: states, matches: { words, key, cachedResult, question, rows } }
}

type Found = Awaited<ReturnType<typeof searchIn>>

/** The page of matches. @param catalog the searched catalog; undefined if it was never written */
async function pageIn(
  db: Database,
  catalog: CatalogRow | undefined,
  { matches }: Found,
  { offset, limit }: PartnerSearch,
): Promise<Omit<MatchPage, 'source'>> {
  if (catalog === undefined || matches === null) return { rows: [], groups: [], hasMore: false }
  const { key, cachedResult } = matches
  const isCurrent = cachedResult?.epoch === catalog.epoch
  const groups = isCurrent ? cachedResult.groups : await groupsOf(db, catalog.workspace_id, matches)
  if (!isCurrent) results.set(key, { epoch: catalog.epoch, groups })
  const end = offset + limit
  return {
    ...pageOf(groups, offset, limit),
    hasMore: groups.flatMap(({ rows }) => rows).length > end && end <= MAX_SEARCH_OFFSET,
  }
}

/** The matches of the query and, if there are too few, of similar queries. */
async function groupsOf(
  db: Database,
  workspaceId: string,
  { words, question, rows }: NonNullable<Found['matches']>,
): Promise<FoundGroup[]> {
  const found = rows.flatMap((row) => (row.row_id === null ? [] : [row]))
  const groups = exactGroups(found, textOf(question.needs))
  if (found.length >= Math.min(question.limit, ENOUGH_MATCHES)) return groups
  const queries = otherQueries(question.type, words, JSON.parse(rows[0]?.near ?? '[]') ?? [])
  if (queries.length === 0) return groups
  const own = { ...question, codes: NO_CODES, asksNearWords: false, workspaceId, offset: 0, knownEpoch: '' }
  const statements = queries.map(({ needs }) => searchStatement({ ...own, source: 'workspace', needs }))
  const answers = await db.batch(statements)
  return [...groups, ...approximateGroups(queries, answers, new Set(found.map(({ row_id }) => row_id)))]
}

/** The question that a text asks of the own active records of a workspace. */
const ownQuestion = (workspaceId: string, type: RecordTypeName, q: string, limit: number): SearchQuestion => ({
  needs: readNeeds(type, foldedWords(q)),
  codes: codesOf(q),
  asksNearWords: false,
  workspaceId,
  source: 'workspace',
  type,
  offset: 0,
  limit,
  knownEpoch: '',
})

/** A query: one row if the text has an ordinary match among the own active records of the workspace. */
export const ordinaryMatch = (workspaceId: string, type: RecordTypeName, q: string): Statement<SearchRow> =>
  searchStatement(ownQuestion(workspaceId, type, q, 1))

/**
 * The best approximate matches of some texts among the own active records of a workspace, in two round trips.
 *
 * @param texts texts of at least one word each
 * @param limit most matches per text
 * @returns for each text its matches; null if it has an ordinary match
 */
export async function approximateMatches(
  db: Database,
  workspaceId: string,
  type: RecordTypeName,
  texts: readonly string[],
  limit: number,
): Promise<(RecordRow[] | null)[]> {
  const questions = texts.map((q) => ({ ...ownQuestion(workspaceId, type, q, limit), asksNearWords: true }))
  const found = await db.batch(questions.map(searchStatement))
  const others = texts.map((q, n) => {
    const [first] = found[n] ?? []
    if (first === undefined || first.row_id !== null) return null
    return otherQueries(type, foldedWords(q), JSON.parse(first.near ?? '[]') ?? [])
  })
  const statements = questions.flatMap((question, n) =>
    (others[n] ?? []).map(({ needs }) =>
      searchStatement({ ...question, codes: NO_CODES, asksNearWords: false, needs }),
    ),
  )
  const rows = statements.length === 0 ? [] : await db.batch(statements)
  let next = 0
  return others.map((queries) => {
    if (queries === null) return null
    const first = next
    next += queries.length
    return approximateGroups(queries, rows.slice(first, next), new Set())
      .flatMap((group) => group.rows)
      .slice(0, limit)
  })
}

/**
 * Searches the catalog of the workspace or of the provider. The first round trip reads the search source and searches
 * in the same transaction. A second one follows for approximate matches, or for a provider in another database.
 *
 * @param own the database of the workspace's catalogs
 * @param findProvider returns the provider's database, or null if there is none; called only if needed
 */
export async function partnerSearch(
  own: Database & { binding: string },
  workspaceId: string,
  findProvider: () => Promise<(Database & { binding: string }) | null>,
  request: PartnerSearch,
): Promise<MatchPage> {
  const found = await searchIn(own, workspaceId, request)
  const catalogIn = ({ catalogs }: Found, id: string) => catalogs.find(({ workspace_id }) => workspace_id === id)
  const ownCatalog = catalogIn(found, workspaceId)
  const source = request.source ?? (ownCatalog?.search_enabled === 1 ? 'workspace' : 'provider')
  if (source === 'workspace') return { source, ...(await pageIn(own, ownCatalog, found, request)) }
  const provider = await findProvider()
  if (provider === null) return { source, rows: [], groups: [], hasMore: false }
  const isHere = provider.binding === own.binding
  const inProvider = isHere ? found : await searchIn(provider, PROVIDER_WORKSPACE, { ...request, source: 'workspace' })
  return { source, ...(await pageIn(provider, catalogIn(inProvider, PROVIDER_WORKSPACE), inProvider, request)) }
}
