import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#storage/database'
import { approximateMatches, type NearWord, nearWords } from './approximate'
import {
  FEW_CANDIDATES,
  hitsFor,
  hitsOf,
  holdsWords,
  listed,
  listOf,
  number,
  ofCatalog,
  READABLE,
} from './candidates'
import { type Match, type Matches, SEARCHED, type SearchedCatalog, searchedIn } from './matches'
import { ALL_STARTS, allBegin, lookedUp, rankIn } from './ranks'
import { manyStatement } from './tiers'
import { anywhere, queryIn } from './tokens'

/** When fewer records than this match, records that nearly match follow. */
const ENOUGH_MATCHES = 5

/** A query whose longest word has at most this many letters names many records. */
const SHORT_WORD = 2

const isShort = (word: string): boolean => [...word].length <= SHORT_WORD
const areShort = (words: readonly string[]): boolean => words.every(isShort)

/** A row of `firstStatement`: a match, or none, which says the same of a query without matches. */
export type FirstRow = (Match | { row_id: null }) & {
  /** Whether the matches are all that there are. */
  complete: number
  /** JSON list of `NearWord` in one of the rows, where there are too few matches. */
  near: string | null
}

/**
 * What may answer a query in one trip. Where its words are short, the best matches by the names. Otherwise every match of
 * a query that the word index has an answer to and that names a few records, the best ones; and where they are too few,
 * the words of the catalog that may be meant.
 *
 * @param words folded; one at least
 * @param limit 1 to 50
 */
export function firstStatement(catalog: SearchedCatalog, words: readonly string[], limit: number): SQL {
  const most = Math.max(limit, ENOUGH_MATCHES)
  if (areShort(words)) return manyStatement(catalog, words, most, 'names')
  const best = lookedUp(
    listed(sql`iif(is_settled, begun, row_ids)`),
    holdsWords(words, sql`iif(is_settled, ${sql.raw(String(!words.some(isShort)))}, asked_all)`),
    rankIn(words),
    most,
  )
  const near = nearWords(sql`catalog`, words) ?? sql`null`
  const tooFew = sql`complete and json_array_length(matches) < ${number(Math.min(limit, ENOUGH_MATCHES))}`
  return sql`with ${searchedIn(catalog)}, ${begunFor(words)},
    settled as materialized (select *, ${settles(words, most)} as is_settled from begun),
    ${hitsFor(sql`settled`, words, sql`is_settled or ${namesTooMany(words)}`)},
    found as materialized (select catalog, is_settled or few as complete,
      iif(is_settled or few, ${listOf(best, sql`json_array(row_id, tier)`)}, '[]') as matches from hits),
    answered as materialized (select *, iif(${tooFew}, ${near}, null) as near_words from found)
    select complete, iif(coalesce(key, 0) = 0, near_words, null) as near,
      record_id, is_active, updated_at, data, value ->> 1 as tier, name_length, row_id
    from answered left join json_each(matches) on true left join records on row_id = value ->> 0
    order by tier, name_length, row_id`
}

/** The index is asked only for the words of more than `SHORT_WORD` letters: a shorter one begins very many words. */
const begunFor = (words: readonly string[]): SQL => {
  const query = queryIn(sql`catalog`, anywhere(words.filter((word) => !isShort(word))))
  return sql`begun as materialized (select catalog, ${listOf(hitsOf(sql`catalog`, query))} as begun
    from ${ofCatalog(SEARCHED)})`
}

/** Condition on `begun`: the words of the query alone name more records than can be looked up one by one. */
const namesTooMany = (words: readonly string[]): SQL =>
  words.some(isShort) ? sql`false` : sql`json_array_length(begun) > ${number(FEW_CANDIDATES)}`

/**
 * Condition on `begun`: words of so many records begin with the words of the query that nobody needs to look for words
 * that hold them further on. Those records rank last.
 */
function settles(words: readonly string[], most: number): SQL {
  const short = words.filter(isShort)
  const condition = short.length > 0 ? allBegin(short, ALL_STARTS) : sql`true`
  return sql`json_array_length(begun) <= ${number(FEW_CANDIDATES)} and ${number(most)} = (select count(*) from
    (select 1 from records where row_id in (${listed(sql`begun`)}) and +is_active = 1 and ${READABLE} and ${condition}
      limit ${number(most)}))`
}

/** The best matches where the word index has named too many records, or was not asked. */
async function manyMatches(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
  limit: number,
  first: readonly FirstRow[],
): Promise<Match[]> {
  if (!areShort(words)) return db.all<Match>(manyStatement(catalog, words, limit, 'all'))
  const names = first as readonly Match[]
  if (names.length === limit) return [...names]
  return [...names, ...(await db.all<Match>(manyStatement(catalog, words, limit - names.length, 'others')))]
}

/**
 * The best matches among the active records of a catalog for the words that a person types and, when there are fewer
 * than five, the records that nearly match.
 *
 * @param catalog that of `first`
 * @param words folded; one at least
 * @param limit 1 to 50
 * @param first rows of `firstStatement`
 */
export async function searchCatalog(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
  limit: number,
  first: readonly FirstRow[],
): Promise<Matches> {
  const isComplete = first[0]?.complete === 1
  const rows = isComplete
    ? first.filter((row): row is FirstRow & Match => row.row_id !== null)
    : await manyMatches(db, catalog, words, Math.max(limit, ENOUGH_MATCHES), first)
  if (rows.length >= Math.min(limit, ENOUGH_MATCHES)) return { rows: rows.slice(0, limit), approximate: 0 }
  const near = isComplete ? nearIn(first) : await readNearWords(db, catalog, words)
  const others = await approximateMatches(db, catalog, words, near, rows, limit - rows.length)
  return { rows: [...rows, ...others], approximate: others.length }
}

const nearIn = (rows: readonly { near: string | null }[]): NearWord[] =>
  rows.flatMap(({ near }) => (near === null ? [] : JSON.parse(near)))

async function readNearWords(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
): Promise<NearWord[]> {
  const near = nearWords(SEARCHED, words)
  if (near === null) return []
  return nearIn(await db.all<{ near: string }>(sql`with ${searchedIn(catalog)} select ${near} as near`))
}
