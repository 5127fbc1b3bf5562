import { sql } from 'drizzle-orm'
import { MAX_SEARCH_RESULTS } from '#shared/limits'
import type { Database } from '#worker/storage/database'
import { approximateMatches } from './approximate'
import { withCodes } from './code-matches'
import { type NearWord, nearWords } from './near-words'
import { areShort, ENOUGH_MATCHES, type OneTripRow } from './one-trip-search'
import type { FoundRecord, SearchResult } from './search-result'
import { SEARCHED, type SearchedCatalog, searchedIn } from './searched-catalog'
import { manyStatement } from './tiers'

/** What the first trip of a search found. */
export interface Begun {
  /** Rows of `oneTripSearch`. */
  first: readonly OneTripRow[]
  /** Rows of `codeStatement`. */
  codes: readonly FoundRecord[]
}

/**
 * The best matches if the word index has named too many records, or was not asked.
 *
 * @param names the best matches by the names, if the words are short
 */
async function manyMatches(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
  limit: number,
  names: readonly FoundRecord[],
): Promise<FoundRecord[]> {
  if (!areShort(words)) return db.all(manyStatement(catalog, words, limit, 'all'))
  if (names.length === limit) return [...names]
  return [...names, ...(await db.all(manyStatement(catalog, words, limit - names.length, 'others')))]
}

/**
 * The best matches among the active records of a catalog for the words that a person types and, when there are fewer
 * than five, the records that nearly match.
 *
 * @param catalog that of `begun`
 * @param words folded; one at least
 * @param limit matches of the page and before it; 1 to 500
 * @param begun what the first trip found
 */
export async function searchCatalog(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
  limit: number,
  { first, codes }: Begun,
): Promise<SearchResult> {
  const isComplete = first[0]?.complete === 1
  const matches = first.filter((row) => row.row_id !== null)
  const texts = isComplete
    ? matches
    : await manyMatches(db, catalog, words, Math.max(limit, ENOUGH_MATCHES), matches)
  const rows = withCodes(codes, texts)
  if (rows.length >= Math.min(limit, ENOUGH_MATCHES)) return { rows: rows.slice(0, limit), approximate: 0 }
  const near = isComplete ? nearIn(first) : await readNearWords(db, catalog, words)
  const room = Math.min(limit, MAX_SEARCH_RESULTS) - rows.length
  const others = await approximateMatches(db, catalog, words, near, rows, room)
  return { rows: [...rows, ...others], approximate: others.length }
}

const nearIn = (rows: readonly { near?: string | null }[]): NearWord[] =>
  rows.flatMap(({ near }) => JSON.parse(near ?? '[]'))

async function readNearWords(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
): Promise<NearWord[]> {
  const near = nearWords(SEARCHED, words)
  if (near === null) return []
  return nearIn(await db.all(sql<{ near: string }>`with ${searchedIn(catalog)} select ${near} as near`))
}
