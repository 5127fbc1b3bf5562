import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { anywhere, queryIn } from '#worker/search/index/tokens'
import type { Source } from '#worker/search/schemas'
import type { Query } from '#worker/storage/database'
import { type Put, StatementCache, valuesOf } from '#worker/storage/statement-cache'
import {
  FEW_CANDIDATES,
  hitsFor,
  hitsOf,
  holdsWords,
  idList,
  listed,
  number,
  ofCatalog,
  READABLE,
  wordsShape,
} from './candidates'
import { nearShape, nearWords } from './near-words'
import { PROVIDER_WORKSPACE } from './provider'
import { ALL_STARTS, allBegin, lookedUp, rankIn } from './ranks'
import { dataOfPage, type FoundRecord } from './search-result'
import { SEARCHED, type SearchedCatalog, searchedIn } from './searched-catalog'
import { manyStatement } from './tiers'

/** When fewer records than this match, records that nearly match follow. */
export const ENOUGH_MATCHES = 5

/** A query whose longest word has at most this many letters names many records. */
const SHORT_WORD = 2

const isShort = (word: string): boolean => [...word].length <= SHORT_WORD
export const areShort = (words: readonly string[]): boolean => words.every(isShort)

/** A row of `oneTripSearch`: a match, or none, which says the same of a query without matches. */
export type OneTripRow = (FoundRecord | { row_id: null }) & {
  /** Whether the matches are all that there are; absent if only names were searched. */
  complete?: number
  /** JSON list of `NearWord` in one of the rows, if there are too few matches. */
  near?: string | null
}

/** What the first statement of a search asks. */
export interface SearchQuestion {
  /** Folded; one at least. */
  words: readonly string[]
  /** Matches of the page and before it; 1 to 500. */
  limit: number
  type: RecordTypeName
  workspaceId: string
  /** Whose catalog is searched; null if the switch of the workspace decides, which the database looks up. */
  source: Source | null
}

export type PutAnswer = Put<SearchQuestion>

/** What the text of the statement depends on. */
const questionShape = ({ words, limit, source }: SearchQuestion): string =>
  JSON.stringify([source, limit, words.length > 1, wordsShape(words), words.some(isShort), nearShape(words)])

export function searchedCatalog({ source }: SearchQuestion, put: PutAnswer): SearchedCatalog {
  const type = () => put((asked) => asked.type)
  const own = () => put((asked) => asked.workspaceId)
  if (source === 'workspace') return { type: type(), workspace: own() }
  if (source === 'provider') return { type: type(), workspace: sql`${PROVIDER_WORKSPACE}` }
  const isOn = sql`(select search_enabled from catalogs where workspace_id = ${own()} and type = ${type()}) = 1`
  return { type: type(), workspace: sql`iif(${isOn}, ${own()}, ${PROVIDER_WORKSPACE})` }
}

const searchStatements = new StatementCache(questionShape, indexedStatement)

/**
 * The statement that usually answers a search alone. Short words: the best matches among names. Longer words: the best
 * of all matches, if the index names few records; and if there are too few matches, the words of the catalog that may
 * be meant.
 */
export function oneTripSearch(asked: SearchQuestion): Query<OneTripRow> {
  if (!areShort(asked.words)) return searchStatements.statement(asked)
  const most = Math.max(asked.limit, ENOUGH_MATCHES)
  return manyStatement(searchedCatalog(asked, valuesOf(asked)), asked.words, most, 'names')
}

/** @param put takes every value of the question; the question itself says only what is in `questionShape` */
export function indexedStatement(asked: SearchQuestion, put: PutAnswer): SQL<OneTripRow> {
  const { words, limit } = asked
  const most = Math.max(limit, ENOUGH_MATCHES)
  const best = lookedUp(
    listed(sql`iif(is_settled, begun, row_ids)`),
    holdsWords(words, sql`iif(is_settled, ${sql.raw(String(!words.some(isShort)))}, asked_all)`, put),
    rankIn(words, put),
    most,
  )
  const near = nearWords(sql`catalog`, words, put) ?? sql`null`
  const data = dataOfPage(limit, (matches) => sql`key >= ${number(matches)}`)
  const tooFew = sql`complete and json_array_length(matches) < ${number(Math.min(limit, ENOUGH_MATCHES))}`
  return sql`with ${searchedIn(searchedCatalog(asked, put))}, ${begunFor(put)},
    settled as materialized (select *, ${settles(words, most, put)} as is_settled from begun),
    ${hitsFor(sql`settled`, words, sql`is_settled or ${namesTooMany(words)}`, put)},
    found as materialized (select catalog, is_settled or few as complete,
      iif(is_settled or few, ${idList(best, sql`json_array(row_id, tier)`)}, '[]') as matches from hits),
    answered as materialized (select *, iif(${tooFew}, ${near}, null) as near_words from found)
    select complete, iif(coalesce(key, 0) = 0, near_words, null) as near,
      record_id, is_active, updated_at, ${data}, value ->> 1 as tier, name_length, row_id
    from answered left join json_each(matches) on true left join records on row_id = value ->> 0
    order by tier, name_length, row_id`
}

/** The index is asked only for the words of more than `SHORT_WORD` letters: a shorter one begins very many words. */
const begunFor = (put: PutAnswer): SQL => {
  const long = put(({ words }) => anywhere(words.filter((word) => !isShort(word))))
  return sql`begun as materialized (select catalog, ${idList(hitsOf(sql`catalog`, queryIn(sql`catalog`, long)))} as begun
    from ${ofCatalog(SEARCHED)})`
}

/** Condition on `begun`: the words of the query alone name more records than can be looked up one by one. */
const namesTooMany = (words: readonly string[]): SQL =>
  words.some(isShort) ? sql`false` : sql`json_array_length(begun) > ${number(FEW_CANDIDATES)}`

/**
 * Condition on `begun`: words of so many records begin with the words of the query that nobody needs to look for words
 * that hold them further on. Those records rank last.
 */
function settles(words: readonly string[], most: number, put: PutAnswer): SQL {
  const short = () => put((asked) => JSON.stringify(asked.words.filter(isShort)))
  const condition = words.some(isShort) ? allBegin(short(), ALL_STARTS) : sql`true`
  return sql`json_array_length(begun) <= ${number(FEW_CANDIDATES)} and ${number(most)} = (select count(*) from
    (select 1 from (${listed(sql`begun`)}) cross join records using (row_id) where +is_active = 1 and ${READABLE} and ${condition}
      limit ${number(most)}))`
}
