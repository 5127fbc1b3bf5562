import { type SQL, sql } from 'drizzle-orm'
import { placesOf } from '#records/search-text'
import type { Database } from '#storage/database'
import { int } from '#storage/database'
import { valuesOf } from '#storage/statement-cache'
import { hitsOf, number, type PutWords, READABLE } from './candidates'
import { nearBeginning } from './edit-distance'
import { type Match, SEARCHED, type SearchedCatalog, searchedIn } from './matches'
import { anywhere, queryIn } from './tokens'
import { holdsPart, inJson, placedWords } from './word-index'

/** Letters that a word of the query must have before one of them, or two of them, may be wrong. */
const ONE_WRONG_FROM = 5
const TWO_WRONG_FROM = 9

/** Words of a query that are corrected at most, the longest ones. */
const CORRECTED_WORDS = 3

/** Words of the catalog that are compared with one word of the query. */
const COMPARED_WORDS = 2000

/** Most corrections of one word, and of the whole query, that are searched for, nearest first. */
const CORRECTIONS_OF_WORD = 16
const CORRECTIONS = 24

/** Ranks per unit of distance: a smaller distance counts more than a better tier. */
const TIERS = 10

const wrongLetters = (length: number): number =>
  length >= TWO_WRONG_FROM ? 2 : length >= ONE_WRONG_FROM ? 1 : 0

/** A part of a word of the query, and where it begins there. */
interface Piece {
  text: string
  start: number
}

/**
 * Cuts a word into one part more than changes, so that at least one part stays unchanged. A swap across the border of
 * two parts changes both, so the part before each border is added again with the swap done: then it is unchanged, or a
 * part that the swap does not touch is.
 */
function piecesOf(letters: readonly string[], changes: number): Piece[] {
  const count = changes + 1
  const borders = Array.from({ length: count + 1 }, (_, i) => Math.floor((i * letters.length) / count))
  const cut = (of: readonly string[], i: number): Piece => ({
    text: of.slice(borders[i], borders[i + 1]).join(''),
    start: borders[i]!,
  })
  const pieces = Array.from({ length: count }, (_, i) => cut(letters, i))
  for (let i = 1; i < count; i++) {
    const swapped = [...letters]
    const at = borders[i]!
    swapped[at - 1] = letters[at]!
    swapped[at] = letters[at - 1]!
    pieces.push(cut(swapped, i - 1))
  }
  return pieces
}

/** A word of a query that may be misspelt, in common table expression `name`, which `asked` defines. */
interface Doubted {
  asked: SQL
  near: SQL
}

/** The pieces of a word as the database gets them: fewest letters of a word, then text, text in JSON, last place of each. */
function sentPieces(word: string): string {
  const letters = [...word]
  const changes = wrongLetters(letters.length)
  const pieces = piecesOf(letters, changes)
  return JSON.stringify([
    letters.length - changes,
    ...pieces.flatMap(({ text, start }) => [text, inJson(text), start + changes]),
  ])
}

/**
 * The words of a catalog that may be meant by a word of the query. The text of the statement is the same for all words in
 * which as many letters may be wrong, because a database plans each new text. The pieces are one value, because D1 binds a
 * hundred values at most.
 *
 * @param bit for the column `bit`
 */
function doubted(
  catalog: SQL,
  word: string,
  bit: number,
  put: (value: (word: string) => string) => SQL,
): Doubted {
  const letters = [...word]
  const changes = wrongLetters(letters.length)
  const pieces = piecesOf(letters, changes)
  const column = (name: string, i: number) => sql.raw(`${name}_${i}`)
  const columns = pieces.map(
    (_, i) => sql`, value ->> ${number(3 * i + 1)} as ${column('piece', i)},
      value ->> ${number(3 * i + 2)} as ${column('in_json', i)}, value ->> ${number(3 * i + 3)} as ${column('last', i)}`,
  )
  const name = sql.raw(`asked_${bit}`)
  const own = number(bit)
  const beginning = ({ start }: Piece): boolean => start === 0
  const beginnings = pieces.flatMap((piece, i) => {
    const text = column('piece', i)
    if (!beginning(piece)) return []
    return sql`select word, ${own} as bit from ${name} cross join search_words where catalog_id = ${catalog}
      and word >= ${text} and word < ${text} || char(1114111) and length(word) >= shortest`
  })
  // A word of several parts, such as "x-linked", may hold the piece after its first part.
  const listed = pieces.map((piece, i) =>
    holdsPart(beginning(piece) ? sql`'-' || ${column('in_json', i)}` : column('in_json', i)),
  )
  // In `placed.value`, the letter of the place comes first.
  const held = pieces.map(
    (_, i) => sql`instr(placed.value, ${column('piece', i)}) between 2 and ${column('last', i)} + 2`,
  )
  const inside = pieces.map((_, i) => sql`instr(placed.value, ${column('piece', i)}) > 2`)
  const others = sql`select substr(placed.value, 2), ${own} from ${name} cross join ${placedWords}
    where catalog_id = ${catalog} and (${either(listed)}) and length(placed.value) > shortest
      and (${either(held)} or (instr(placed.value, '-') > 2 and (${either(inside)})))`
  return {
    asked: sql`${name} as materialized (select value ->> 0 as shortest${sql.join(columns)}
      from (select ${put(sentPieces)} as value))`,
    // In parentheses: D1 joins five queries at most.
    near: sql`select * from (${sql.join([...beginnings, others], sql` union `)})`,
  }
}

const either = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` or `)

/** A query with some of its words corrected. */
interface Correction {
  distance: number
  words: string[]
}

/**
 * The splits of a word before each of its parts, as the text before and the rest: `["", "x-linked"]`, `["x-",
 * "linked"]`.
 */
function partsOf(word: string): [before: string, rest: string][] {
  const starts = [0, ...[...word.matchAll(/-(?=.)/gu)].map(({ index }) => index + 1)]
  return starts.map((start) => [word.slice(0, start), word.slice(start)])
}

/** The corrections of one word, nearest first. */
function correctionsOf(word: string, candidates: readonly string[]): { distance: number; text: string }[] {
  const found = new Map<string, number>()
  const most = wrongLetters([...word].length)
  for (const [before, rest] of candidates.flatMap(partsOf)) {
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

/** What is read of a correction in JSON, once: it is compared with every candidate. */
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
 * Best rank of a record among the corrections; null where it matches none. Most candidates lack one of the two longest
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
): SQL =>
  sql`with ${searchedIn(catalog)}, corrections as materialized (select ${CORRECTION_COLUMNS} from json_each(${JSON.stringify(corrections.map(sentForm))})),
    hits as materialized (${candidatesOf(SEARCHED, query, corrections)}),
    ranked as materialized (select row_id, ${RANK} as tier, name_length from records
      where row_id in (select row_id from hits) and +is_active = 1
        and row_id not in (select value from json_each(${known})) and ${READABLE}),
    near as materialized (select * from ranked where tier is not null order by tier, name_length, row_id limit ${int(limit)})
    select record_id, is_active, updated_at, data, tier, near.name_length, row_id
    from near join records using (row_id) order by tier, near.name_length, row_id`

/** Words of a query that may be misspelt. */
const correctableOf = (words: readonly string[]): string[] =>
  [...new Set(words)]
    .filter((word) => wrongLetters([...word].length) > 0)
    .sort((a, b) => b.length - a.length)
    .slice(0, CORRECTED_WORDS)

/** What the text of `nearWords` depends on. */
export const nearShape = (words: readonly string[]): number[] =>
  correctableOf(words).map((word) => wrongLetters([...word].length))

/** A word of the catalog, and which of the words in doubt may mean it: one bit for each. */
export type NearWord = readonly [word: string, meantBy: number]

/**
 * The words of a catalog that may be meant by words of a query: an expression that gives a JSON list of `NearWord`. Null
 * where no word can be misspelt.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded
 */
export function nearWords(
  catalog: SQL,
  words: readonly string[],
  put: PutWords = valuesOf({ words }),
): SQL | null {
  const correctable = correctableOf(words).map((word, i) =>
    doubted(catalog, word, 1 << i, (value) => put((query) => value(correctableOf(query.words)[i]!))),
  )
  if (correctable.length === 0) return null
  return sql`(with ${sql.join(
    correctable.map(({ asked }) => asked),
    sql`, `,
  )}
    select json_group_array(json_array(word, meant_by)) from (select word, sum(bit) as meant_by
      from (${sql.join(
        correctable.map(({ near }) => near),
        sql` union `,
      )})
      group by word limit ${number(COMPARED_WORDS * correctable.length)}))`
}

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
  exact: readonly Match[],
  limit: number,
): Promise<Match[]> {
  const meant = new Map(
    correctableOf(words).map((word, bit) => [
      word,
      near.filter(([, meantBy]) => (meantBy >> bit) & 1).map(([candidate]) => candidate),
    ]),
  )
  const corrections = correctedQueries(words, meant)
  if (corrections.length === 0) return []
  const known = JSON.stringify(exact.map(({ row_id }) => row_id))
  return db.all<Match>(nearStatement(catalog, words, corrections, known, limit))
}
