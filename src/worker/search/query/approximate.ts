import { queryTexts } from '#shared/records/search-text'
import { queryIn, wordBeginnings } from '#worker/search/index/word-index'
import { type Database, Parameters } from '#worker/storage/database'
import { hitsOf } from './candidates'
import { correctableOf, type NearWord, nearBeginning, wrongLetters } from './near-words'
import { BEST_FIRST, beginNameWords, PLACES, placeRanks, RANKS, RANKS_PER_WRONG_LETTER, READABLE } from './ranks'
import { type FoundRecord, type SearchQuestion, searchedCatalog } from './statement'

/** Most corrections of one word, and of the whole query, that are searched for, nearest first. */
const CORRECTIONS_OF_WORD = 16
const CORRECTIONS = 24

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
  const distances = new Map<string, number>()
  const most = wrongLetters(word)
  for (const [before, rest] of candidates.flatMap(splitsOf)) {
    const near = nearBeginning(word, rest, most)
    if (near === null || near.distance === 0 || before + near.text === word) continue
    distances.set(before + near.text, near.distance)
  }
  return [...distances]
    .map(([text, distance]) => ({ text, distance }))
    .sort((a, b) => a.distance - b.distance || firstLetter(b, word) - firstLetter(a, word))
    .slice(0, CORRECTIONS_OF_WORD)
}

/** A wrong letter is rarely the first one. */
const firstLetter = ({ text }: { text: string }, word: string): number => (text[0] === word[0] ? 1 : 0)

/** The query with one or more words corrected, in every combination, nearest first. */
function correctedQueries(words: readonly string[], near: ReadonlyMap<string, readonly string[]>): Correction[] {
  let queries: Correction[] = [{ distance: 0, words: [] }]
  for (const word of words) {
    const choices = [{ text: word, distance: 0 }, ...correctionsOf(word, near.get(word) ?? [])]
    queries = queries
      .flatMap((query) =>
        choices.map(({ text, distance }) => ({ distance: query.distance + distance, words: [...query.words, text] })),
      )
      .sort((a, b) => a.distance - b.distance)
      .slice(0, CORRECTIONS + 1)
  }
  return queries.filter(({ distance }) => distance > 0)
}

/** The id of the catalog in the statement. */
const SEARCHED = '(select catalog from searched)'

/**
 * Candidates of the corrections, as a query: the records in which all words begin a word, and the first ones in which
 * the corrected words do and the others may be anywhere.
 */
function candidatesOf(parameters: Parameters, query: readonly string[], corrections: readonly Correction[]): string {
  const hits = (wordsOf: (correction: Correction) => readonly string[]) => {
    const terms = [...new Set(corrections.map((correction) => wordBeginnings(wordsOf(correction))))]
    return `select * from (${hitsOf(SEARCHED, queryIn(parameters, terms.join(' OR '), SEARCHED))})`
  }
  const all = hits(({ words }) => words)
  if (query.length === 1) return all
  return `${all} union ${hits(({ words }) => words.filter((word, i) => word !== query[i]))}`
}

/** The parts of a correction. They are read from JSON once and compared with every candidate. */
const CORRECTION_COLUMNS = ['distance', ...PLACES, 'words', 'first', 'second']
  .map((name) => `value ->> '${name}' as ${name}`)
  .join(', ')

/**
 * Best rank of a record among the corrections; null if it matches none. Most candidates lack one of the two longest
 * words of most corrections.
 */
const CORRECTION_RANK = `(select min(distance * ${RANKS_PER_WRONG_LETTER} + case
    ${placeRanks((place) => place)}
    when exists (select 1 from json_each(words) as word where instr(search_text, word.value) = 0) then null
    when ${beginNameWords('words')} then ${RANKS.inNames}
    else ${RANKS.anywhere}
  end) from corrections where instr(search_text, first) > 0 and instr(search_text, second) > 0)`

/** A correction as the database gets it. */
function parameterForm({ distance, words }: Correction) {
  const [first, second = first] = [...words].sort((a, b) => b.length - a.length)
  return { distance, words, first, second, ...queryTexts(words) }
}

/**
 * Active records that match after letters of long words of the query are corrected, nearest first, then in the order
 * of a search. A record nearly matches when its words begin with the corrected ones.
 *
 * @param near what `nearWords` gave
 * @param exact the records that match as it is, which are left out
 * @param limit most records
 */
export async function approximateMatches(
  db: Database,
  question: SearchQuestion,
  near: readonly NearWord[],
  exact: readonly FoundRecord[],
  limit: number,
): Promise<FoundRecord[]> {
  const { words } = question
  const nearByWord = new Map(
    correctableOf(words).map((word, n) => [
      word,
      near.filter(([, meantBy]) => meantBy === n).map(([candidate]) => candidate),
    ]),
  )
  const corrections = correctedQueries(words, nearByWord)
  if (corrections.length === 0) return []
  const parameters = new Parameters()
  const correctionList = parameters.of(JSON.stringify(corrections.map(parameterForm)))
  const exactRows = parameters.of(JSON.stringify(exact.map(({ row_id }) => row_id)))
  const searched = `(select ${searchedCatalog(parameters, question)} as catalog)`
  return db.all(
    parameters.statement<FoundRecord>(`with
      corrections as materialized (select ${CORRECTION_COLUMNS} from json_each(${correctionList})),
      searched as materialized ${searched},
      hits as materialized (${candidatesOf(parameters, words, corrections)}),
      ranked as materialized (select row_id, ${CORRECTION_RANK} as rank, name_length from records
        where row_id in (select row_id from hits) and +is_active = 1
          and row_id not in (select value from json_each(${exactRows})) and ${READABLE}),
      near as materialized (select * from ranked where rank is not null order by ${BEST_FIRST} limit ${limit})
      select record_id, is_active, updated_at, data, rank, near.name_length, row_id
      from near join records using (row_id) order by rank, near.name_length, row_id`),
  )
}
