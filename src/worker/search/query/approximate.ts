import { type SQL, sql } from 'drizzle-orm'
import { placesOf } from '#shared/records/search-text'
import { anywhere, queryIn } from '#worker/search/index/tokens'
import type { Database } from '#worker/storage/database'
import { int } from '#worker/storage/database'
import { hitsOf, READABLE } from './candidates'
import { nearBeginning } from './edit-distance'
import { correctableOf, type NearWord, wrongLetters } from './near-words'
import type { FoundRecord } from './search-result'
import { SEARCHED, type SearchedCatalog, searchedIn } from './searched-catalog'

/** Most corrections of one word, and of the whole query, that are searched for, nearest first. */
const CORRECTIONS_OF_WORD = 16
const CORRECTIONS = 24

/** Ranks per unit of distance: a smaller distance counts more than a better tier. */
const TIERS = 10

/** A query with some of its words corrected. */
interface Correction {
  distance: number
  words: string[]
}

/**
 * The splits of a word before each of its parts, as the text before and the rest: `["", "x-linked"]`, `["x-",
 * "linked"]`.
 */
function splitsOf(word: string): [before: string, rest: string][] {
  const starts = [0, ...[...word.matchAll(/-(?=.)/gu)].map(({ index }) => index + 1)]
  return starts.map((start) => [word.slice(0, start), word.slice(start)])
}

/** The corrections of one word, nearest first. */
function correctionsOf(word: string, candidates: readonly string[]): { distance: number; text: string }[] {
  const found = new Map<string, number>()
  const most = wrongLetters(word)
  for (const [before, rest] of candidates.flatMap(splitsOf)) {
    const near = nearBeginning(word, rest, most)
    if (near === null || near.distance === 0 || before + near.text === word) continue
    found.set(before + near.text, near.distance)
  }
  return [...found]
    .map(([text, distance]) => ({ text, distance }))
    .sort((a, b) => a.distance - b.distance || firstLetter(b, word) - firstLetter(a, word))
    .slice(0, CORRECTIONS_OF_WORD)
}

/** A wrong letter is rarely the first one. */
const firstLetter = ({ text }: { text: string }, word: string): number => (text[0] === word[0] ? 1 : 0)

/** The query with one or more words corrected, in every combination, nearest first. */
function correctedQueries(
  words: readonly string[],
  near: ReadonlyMap<string, readonly string[]>,
): Correction[] {
  let queries: Correction[] = [{ distance: 0, words: [] }]
  for (const word of words) {
    const choices = [{ text: word, distance: 0 }, ...correctionsOf(word, near.get(word) ?? [])]
    queries = queries
      .flatMap((query) =>
        choices.map(({ text, distance }) => ({
          distance: query.distance + distance,
          words: [...query.words, text],
        })),
      )
      .sort((a, b) => a.distance - b.distance)
      .slice(0, CORRECTIONS + 1)
  }
  return queries.filter(({ distance }) => distance > 0)
}

/**
 * Candidates of the corrections: the records in which all words begin a word, and the first ones in which the
 * corrected words do and the others may be anywhere.
 */
function candidatesOf(catalog: SQL, query: readonly string[], corrections: readonly Correction[]): SQL {
  const hits = (wordsOf: (correction: Correction) => readonly string[]) => {
    const terms = [...new Set(corrections.map((correction) => anywhere(wordsOf(correction))))]
    return sql`select * from (${hitsOf(catalog, queryIn(catalog, terms.join(' OR ')))})`
  }
  const all = hits(({ words }) => words)
  if (query.length === 1) return all
  return sql`${all} union ${hits(({ words }) => words.filter((word, i) => word !== query[i]))}`
}

/** The parts of a correction. They are read from JSON once and compared with every candidate. */
const CORRECTION_COLUMNS = sql.raw(
  [
    'distance',
    'nameLine',
    'nameStart',
    'aliasLine',
    'aliasStart',
    'nameWord',
    'aliasWord',
    'words',
    'first',
    'second',
  ]
    .map((name) => `value ->> '${name}' as ${name}`)
    .join(', '),
)

/**
 * Best rank of a record among the corrections; null if it matches none. Most candidates lack one of the two longest
 * words of most corrections.
 */
const RANK = sql.raw(`(select min(distance * ${TIERS} + case
    when instr(search_text, nameLine) > 0 then 0
    when instr(search_text, nameStart) > 0 then 1
    when instr(search_text, aliasLine) > 0 then 2
    when instr(search_text, aliasStart) > 0 then 3
    when instr(search_text, nameWord) > 0 then 4
    when instr(search_text, aliasWord) > 0 then 5
    when exists (select 1 from json_each(words) as w where instr(search_text, w.value) = 0) then null
    when not exists (select 1 from json_each(words) as w
      where instr(search_text, char(10) || w.value) = 0 and instr(search_text, ' ' || w.value) = 0) then 6
    else 8
  end) from corrections where instr(search_text, first) > 0 and instr(search_text, second) > 0)`)

/** A correction as the database gets it. */
function sentForm({ distance, words }: Correction) {
  const [first, second = first] = [...words].sort((a, b) => b.length - a.length)
  return { distance, words, first, second, ...placesOf(words) }
}

const nearStatement = (
  catalog: SearchedCatalog,
  query: readonly string[],
  corrections: readonly Correction[],
  known: string,
  limit: number,
): SQL<FoundRecord> =>
  sql`with ${searchedIn(catalog)}, corrections as materialized (select ${CORRECTION_COLUMNS} from json_each(${JSON.stringify(corrections.map(sentForm))})),
    hits as materialized (${candidatesOf(SEARCHED, query, corrections)}),
    ranked as materialized (select row_id, ${RANK} as tier, name_length from records
      where row_id in (select row_id from hits) and +is_active = 1
        and row_id not in (select value from json_each(${known})) and ${READABLE}),
    near as materialized (select * from ranked where tier is not null order by tier, name_length, row_id limit ${int(limit)})
    select record_id, is_active, updated_at, data, tier, near.name_length, row_id
    from near join records using (row_id) order by tier, near.name_length, row_id`

/**
 * Active records that match after letters of long words of the query are corrected, nearest first, then in the order
 * of a search. A record nearly matches when its words begin with the corrected ones.
 *
 * @param words folded
 * @param near what `nearWords` gave
 * @param exact the records that match as it is, which are left out
 */
export async function approximateMatches(
  db: Database,
  catalog: SearchedCatalog,
  words: readonly string[],
  near: readonly NearWord[],
  exact: readonly FoundRecord[],
  limit: number,
): Promise<FoundRecord[]> {
  const meant = new Map(
    correctableOf(words).map((word, bit) => [
      word,
      near.filter(([, meantBy]) => (meantBy >> bit) & 1).map(([candidate]) => candidate),
    ]),
  )
  const corrections = correctedQueries(words, meant)
  if (corrections.length === 0) return []
  const known = JSON.stringify(exact.map(({ row_id }) => row_id))
  return db.all(nearStatement(catalog, words, corrections, known, limit))
}
