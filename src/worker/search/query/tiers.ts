import { type SQL, sql } from 'drizzle-orm'
import { type Places, placesOf } from '#shared/records/search-text'
import { queryIn, tokensOf } from '#worker/search/index/tokens'
import { WORD_PLACES, type WordPlace } from '#worker/search/index/word-index'
import {
  catalogUnless,
  containing,
  FEW_CANDIDATES,
  FEW_HITS,
  hitsAreFew,
  hitsFor,
  hitsOf,
  number,
  ofCatalog,
  READABLE,
} from './candidates'
import { lookedUp, otherKinds, otherRank } from './ranks'
import { dataOfPage, type FoundRecord } from './search-result'
import { SEARCHED, type SearchedCatalog, searchedIn } from './searched-catalog'

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
  first: WordPlace
  rest: WordPlace
}

const contains = (text: string): SQL => sql` and instr(search_text, ${text}) > 0`
const lacking = (texts: readonly string[]): SQL =>
  sql.join(texts.map((text) => sql` and instr(search_text, ${text}) = 0`))

/** The kinds of matches that begin where a word begins, best first. */
function tiersOf({ nameLine, nameStart, aliasLine, aliasStart, nameWord, aliasWord }: Places): Tier[] {
  const { nameStart: a, nameWord: b, aliasStart: c, aliasWord: d } = WORD_PLACES
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
    rows: tierAfterTier(rows, limit),
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
  return { hits: hitsFor(ofCatalog(catalog), words), rows: tierAfterTier(rows, limit) }
}

/**
 * The rows of several queries, one after the other. SQLite does not begin the next query when there are enough rows.
 */
const tierAfterTier = (queries: SQL[], limit: number): SQL =>
  sql`select * from (${sql.join(queries, sql` union all `)} limit ${number(limit)})`

/** What a search selects from its table `found` of matches joined with `records`, and in which order. */
export const foundColumns = (data = sql`data`): SQL =>
  sql`record_id, is_active, updated_at, ${data}, tier, found.name_length, row_id`
export const BEST_FIRST = sql.raw('tier, found.name_length, row_id')

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
): SQL<FoundRecord> {
  const places = placesOf(words)
  const [names, ...rest] = tiersOf(places).map((tier) => tierParts(tier, words, SEARCHED, limit))
  const parts = [
    ...(tiers === 'others' ? [] : [names!]),
    ...(tiers === 'names' ? [] : [...rest, otherParts(places, words, SEARCHED, limit)]),
  ]
  const hits = parts.map((part) => part.hits)
  const rows = parts.map((part) => part.rows)
  const data = dataOfPage(
    limit,
    (matches) =>
      sql`row_id in (select row_id from found order by ${BEST_FIRST} limit -1 offset ${number(matches)})`,
  )
  return sql`with ${searchedIn(catalog)}, ${sql.join(hits, sql`, `)}, found as materialized (${tierAfterTier(rows, limit)})
    select ${foundColumns(data)} from found join records using (row_id) order by ${BEST_FIRST}`
}
