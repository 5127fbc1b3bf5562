import { type SQL, sql } from 'drizzle-orm'
import { mayHold, patternOf, placedWords } from '#worker/search/index/word-index'
import { valuesOf } from '#worker/storage/statement-cache'
import { number, type PutWords } from './candidates'

/** Letters that a word of the query must have before one of them, or two of them, may be wrong. */
const ONE_WRONG_FROM = 5
const TWO_WRONG_FROM = 9

/** Words of a query that are corrected at most, the longest ones. */
const CORRECTED_WORDS = 3

/** Words of the catalog that are compared with one word of the query. */
const COMPARED_WORDS = 2000

/** How many letters of a word of the query may be wrong. */
export function wrongLetters(word: string): number {
  const { length } = [...word]
  return length >= TWO_WRONG_FROM ? 2 : length >= ONE_WRONG_FROM ? 1 : 0
}

/** Words of a query that may be misspelt. */
export const correctableOf = (words: readonly string[]): string[] =>
  [...new Set(words)]
    .filter((word) => wrongLetters(word) > 0)
    .sort((a, b) => b.length - a.length)
    .slice(0, CORRECTED_WORDS)

/** What the text of `nearWords` depends on. */
export const nearShape = (words: readonly string[]): number[] => correctableOf(words).map(wrongLetters)

/**
 * A word is cut into one part more than letters may be wrong, so that at least one part stays unchanged. A swap
 * across the border of two parts changes both, so the part before each border is taken again with the swap done: then
 * it is unchanged, or a part that the swap does not touch is.
 *
 * @returns the numbers of these parts: first the parts as they are, then those with a swap
 */
const partNumbers = (wrong: number): number[] => {
  const all = Array.from({ length: wrong + 1 }, (_, part) => part)
  return [...all, ...all.slice(0, -1)]
}

/** The pieces of a word for the statement: its fewest letters, then of each piece text, pattern, and last place. */
function sentPieces(word: string): string {
  const letters = [...word]
  const wrong = wrongLetters(word)
  const border = (part: number) => Math.floor((part * letters.length) / (wrong + 1))
  const pieces = partNumbers(wrong).flatMap((part, i) => {
    const [start, end] = [border(part), border(part + 1)]
    const text = i <= wrong ? letters.slice(start, end) : [...letters.slice(start, end - 1), letters[end]!]
    return [text.join(''), patternOf(text.join('')), start + wrong]
  })
  return JSON.stringify([letters.length - wrong, ...pieces])
}

const either = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` or `)

/**
 * The words of a catalog that may be meant by one word of the query, with the column `bit`, and the common table that
 * this query needs. The pieces are one value, because D1 binds a hundred values at most.
 *
 * @param wrong how many letters may be wrong
 * @param put takes what `sentPieces` makes of the word
 */
function wordsNear(catalog: SQL, wrong: number, bit: number, put: (value: (word: string) => string) => SQL) {
  const table = sql.raw(`asked_${bit}`)
  const own = number(bit)
  const pieces = partNumbers(wrong).map((part, i) => ({
    isBeginning: part === 0,
    text: sql.raw(`piece_${i}`),
    pattern: sql.raw(`pattern_${i}`),
    last: sql.raw(`last_${i}`),
    columns: [`piece_${i}`, `pattern_${i}`, `last_${i}`].map(
      (column, j) => sql`, value ->> ${number(3 * i + j + 1)} as ${sql.raw(column)}`,
    ),
  }))
  const beginnings = pieces
    .filter(({ isBeginning }) => isBeginning)
    .map(
      ({
        text,
      }) => sql`select word, ${own} as bit from ${table} cross join search_words where catalog_id = ${catalog}
        and word >= ${text} and word < ${text} || char(1114111) and length(word) >= shortest`,
    )
  // A word of several parts, such as "x-linked", may hold the beginning after its first part. If a letter was added
  // before it, another piece stays unchanged. In `placed.value`, the letter of the place comes first.
  const listed = pieces.map(({ isBeginning, pattern }) =>
    mayHold(isBeginning ? sql`'-' || ${pattern}` : pattern),
  )
  const inside = pieces
    .filter(({ isBeginning }) => !isBeginning)
    .map(
      ({ text, last }) =>
        sql`(instr(placed.value, ${text}) > 1 and (instr(placed.value, ${text}) <= ${last} + 2 or instr(placed.value, '-') > 2))`,
    )
  const inParts = pieces
    .filter(({ isBeginning }) => isBeginning)
    .map(({ text }) => sql`instr(placed.value, '-' || ${text}) > 1`)
  const others = sql`select substr(placed.value, 2), ${own} from ${table} cross join ${placedWords}
    where catalog_id = ${catalog} and (${either(listed)})
      and (${either(inside)} or (instr(placed.value, '-') > 1 and (${either(inParts)}))) and length(placed.value) > shortest`
  return {
    asked: sql`${table} as materialized (select value ->> 0 as shortest${sql.join(pieces.flatMap(({ columns }) => columns))}
      from (select ${put(sentPieces)} as value))`,
    // A query of its own: D1 joins five queries at most.
    found: sql`select * from (${sql.join([...beginnings, others], sql` union `)})`,
  }
}

/** A word of the catalog, and which of the words in doubt may mean it: one bit for each. */
export type NearWord = readonly [word: string, meantBy: number]

/**
 * The words of a catalog that may be meant by words of a query: an expression that gives a JSON list of `NearWord`.
 * Null if no word can be misspelt. Its text is the same for words in which as many letters may be wrong, because a
 * database plans each new text of a statement.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded
 */
export function nearWords(
  catalog: SQL,
  words: readonly string[],
  put: PutWords = valuesOf({ words }),
): SQL | null {
  const near = correctableOf(words).map((word, i) =>
    wordsNear(catalog, wrongLetters(word), 1 << i, (value) =>
      put((query) => value(correctableOf(query.words)[i]!)),
    ),
  )
  if (near.length === 0) return null
  const asked = near.map((word) => word.asked)
  const found = near.map((word) => word.found)
  return sql`(with ${sql.join(asked, sql`, `)}
    select json_group_array(json_array(word, meant_by)) from (select word, sum(bit) as meant_by
      from (${sql.join(found, sql` union all `)}) group by word limit ${number(COMPARED_WORDS * near.length)}))`
}
