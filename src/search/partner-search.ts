import { type SQL, sql } from 'drizzle-orm'
import { ALIAS_LINE, ALIAS_WORD, NAME_LINE, NAME_WORD, type Places, placesOf } from '#records/search-text'
import type { Database } from '#storage/database'
import { approximateMatches, type NearWord, nearWords } from './approximate'
import {
  catalogUnless,
  containing,
  FEW_CANDIDATES,
  FEW_HITS,
  hitsAreFew,
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
import { anywhere, queryIn, tokensOf } from './tokens'
import { PLACES, type Place } from './word-index'

/** When fewer records than this match, records that nearly match follow. */
const ENOUGH_MATCHES = 5

/**
 * Records that a search reads one after the other, shortest names first, when the index names too many. In a catalog
 * with more records, the records with the longest names are not found by words that very many records have.
 */
const SCANNED_RECORDS = 100_000

/** One or two kinds of match. The word index names their candidates by the places of the words. */
interface Tier {
  name: string
  /** Rank of its records; the best kind has the lowest one. */
  rank: number
  /** `search_text` holds this text. */
  begins: string
  /** With this text the rank is one better; null when there is no such kind. */
  whole: string | null
  /** Texts of better ranks, which `search_text` must not hold. */
  lacks: readonly string[]
  /** Places of the first word and of those after it. */
  first: Place
  rest: Place
}

const contains = (text: string): SQL => sql` and instr(search_text, ${text}) > 0`
const lacking = (texts: readonly string[]): SQL =>
  sql.join(texts.map((text) => sql` and instr(search_text, ${text}) = 0`))

/** The kinds of matches that begin where a word begins, best first. */
function tiersOf({ nameLine, nameStart, aliasLine, aliasStart, nameWord, aliasWord }: Places): Tier[] {
  const { nameStart: a, nameWord: b, aliasStart: c, aliasWord: d } = PLACES
  const lines = [nameStart, aliasStart]
  return [
    { name: 'names', rank: 1, begins: nameStart, whole: nameLine, lacks: [], first: a, rest: b },
    { name: 'aliases', rank: 3, begins: aliasStart, whole: aliasLine, lacks: [nameStart], first: c, rest: d },
    { name: 'name_words', rank: 4, begins: nameWord, whole: null, lacks: lines, first: b, rest: b },
    {
      name: 'alias_words',
      rank: 5,
      begins: aliasWord,
      whole: null,
      lacks: [...lines, nameWord],
      first: d,
      rest: d,
    },
  ]
}

/**
 * Ranks of all other matches, in which the words of the query are in another order: first records in which each word
 * begins a word of a name, then those in which each begins any word, then the rest.
 */
const OTHER_RANKS = { names: 6, words: 7, anywhere: 8 } as const

const NAME_STARTS = [NAME_LINE, NAME_WORD]
const ALL_STARTS = [...NAME_STARTS, ALIAS_LINE, ALIAS_WORD]

/** Condition: every word is the beginning of a word in one of these places. */
const allBegin = (words: readonly string[], starts: readonly string[]): SQL =>
  sql`not exists (select 1 from json_each(${JSON.stringify(words)}) where ${sql.join(
    starts.map((start) => sql`instr(search_text, char(${number(start.charCodeAt(0))}) || value) = 0`),
    sql` and `,
  )})`

/** The kinds of other matches; each condition excludes the others. */
function otherKinds(words: readonly string[]): { rank: number; condition: SQL }[] {
  if (words.length === 1) return [{ rank: OTHER_RANKS.anywhere, condition: sql`true` }]
  const inNames = allBegin(words, NAME_STARTS)
  const inAll = allBegin(words, ALL_STARTS)
  return [
    { rank: OTHER_RANKS.names, condition: inNames },
    { rank: OTHER_RANKS.words, condition: sql`not ${inNames} and ${inAll}` },
    { rank: OTHER_RANKS.anywhere, condition: sql`not ${inAll}` },
  ]
}

const otherRank = (words: readonly string[]): SQL =>
  sql`(case${sql.join(otherKinds(words).map(({ rank, condition }) => sql` when ${condition} then ${number(rank)}`))} end)`

/** Records that the index names and that meet a condition, best first. */
const lookedUp = (rows: SQL, condition: SQL, rank: SQL, limit: number): SQL =>
  sql`select * from (select row_id, ${rank} as tier, name_length from records
    where row_id in (${rows}) and +is_active = 1${condition} order by tier, name_length, row_id limit ${number(limit)})`

/**
 * The records of a catalog that meet a condition, shortest names first. The index has this order and is read until
 * there are enough.
 */
const scanned = (catalog: SQL, condition: SQL, rank: number, limit: number): SQL =>
  sql`select * from (select row_id, ${number(rank)} as tier, name_length
    from (select row_id, name_length, search_text from records indexed by records_scan
      where catalog_id = ${catalog} and is_active = 1 order by name_length limit ${number(SCANNED_RECORDS)})
    where ${READABLE}${condition} limit ${number(limit)})`

/** The parts of the statement for one tier: a common table expression, and the records in their order. */
interface TierParts {
  hits: SQL
  rows: SQL
}

/**
 * The best records of a tier. A few candidates are looked up and sorted. When there are more, the catalog is read by
 * length of name, which soon finds enough of them. Records that hold the whole line come first with any length, so
 * they are looked up in both cases.
 */
function tierParts(tier: Tier, words: readonly string[], catalog: SQL, limit: number): TierParts {
  const { name, rank, begins, whole, lacks, first, rest } = tier
  const hits = sql.raw(`${name}_hits`)
  const asked = (wholeWords: boolean) => queryIn(catalog, tokensOf(words, first, rest, wholeWords))
  const few = sql`(select count(*) from ${hits}) <= ${number(FEW_CANDIDATES)}`
  const condition = sql` and ${READABLE}${contains(begins)}${lacking(lacks)}`
  const listed = sql`select row_id from ${hits} where ${few}`
  const reached = catalogUnless(few, catalog)
  const own = number(rank)
  const rows =
    whole === null
      ? [lookedUp(listed, condition, own, limit), scanned(reached, condition, rank, limit)]
      : [
          lookedUp(listed, condition, sql`${own} - (instr(search_text, ${whole}) > 0)`, limit),
          lookedUp(
            hitsOf(catalog, sql`iif(${few}, '""', ${asked(true)})`),
            sql` and ${READABLE}${contains(whole)}${lacking(lacks)}`,
            number(rank - 1),
            limit,
          ),
          scanned(reached, sql`${condition}${lacking([whole])}`, rank, limit),
        ]
  return {
    hits: sql`${hits} as materialized (${hitsOf(catalog, asked(false))})`,
    rows: inTurn(rows, limit),
  }
}

/** Records that hold all words, but not in the order of the query at the beginning of a word. */
function otherParts(places: Places, words: readonly string[], catalog: SQL, limit: number): TierParts {
  const { nameStart, aliasStart, nameWord, aliasWord } = places
  const condition = sql`${containing(words)}${lacking([nameStart, aliasStart, nameWord, aliasWord])}`
  const reached = catalogUnless(hitsAreFew, catalog)
  const rows = [
    lookedUp(FEW_HITS, condition, otherRank(words), limit),
    ...otherKinds(words).map((kind) =>
      scanned(reached, sql`${condition} and ${kind.condition}`, kind.rank, limit),
    ),
  ]
  return { hits: hitsFor(ofCatalog(catalog), words), rows: inTurn(rows, limit) }
}

/**
 * The rows of several queries, one after the other. SQLite does not begin the next query when there are enough rows.
 */
const inTurn = (queries: SQL[], limit: number): SQL =>
  sql`select * from (${sql.join(queries, sql` union all `)} limit ${number(limit)})`

/** The rank of a record that holds all words. */
const rankIn = (words: readonly string[]): SQL => {
  const { nameLine, nameStart, aliasLine, aliasStart, nameWord, aliasWord } = placesOf(words)
  const forms = [nameLine, nameStart, aliasLine, aliasStart, nameWord, aliasWord]
  const cases = forms.map((form, rank) => sql` when instr(search_text, ${form}) > 0 then ${number(rank)}`)
  return sql`case when not (${READABLE}) then ${number(OTHER_RANKS.anywhere)}${sql.join(cases)} else ${otherRank(words)} end`
}

const COLUMNS = sql.raw('record_id, is_active, updated_at, data, tier, found.name_length, row_id')
const BEST_FIRST = sql.raw('tier, found.name_length, row_id')

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

/**
 * The best matches of a query that names many records, tier by tier.
 *
 * @param tiers the first two kinds alone, by the names; all others; or both
 */
export function manyStatement(
  catalog: SearchedCatalog,
  words: readonly string[],
  limit: number,
  tiers: 'names' | 'others' | 'all',
): SQL {
  const places = placesOf(words)
  const [names, ...rest] = tiersOf(places).map((tier) => tierParts(tier, words, SEARCHED, limit))
  const parts = [
    ...(tiers === 'others' ? [] : [names!]),
    ...(tiers === 'names' ? [] : [...rest, otherParts(places, words, SEARCHED, limit)]),
  ]
  const hits = parts.map((part) => part.hits)
  const rows = parts.map((part) => part.rows)
  return sql`with ${searchedIn(catalog)}, ${sql.join(hits, sql`, `)}, found as materialized (${inTurn(rows, limit)})
    select ${COLUMNS} from found join records using (row_id) order by ${BEST_FIRST}`
}

/** A query whose longest word has at most this many letters names many records. */
const SHORT_WORD = 2

const isShort = (word: string): boolean => [...word].length <= SHORT_WORD
const areShort = (words: readonly string[]): boolean => words.every(isShort)

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
