import type { Parameters } from '#worker/storage/parameters'
import { wordsOfCatalog } from './candidates'

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

/** A piece of a word: the condition on `word` that it makes, over values of the statement. */
function pieceCondition(isBeginning: boolean, text: string, last: string): string {
  // A word of several parts, such as "x-linked", may hold the beginning after its first part. If a letter was added
  // before it, another piece stays unchanged.
  return isBeginning
    ? `instr(word, ${text}) = 1 or instr(word, '-' || ${text}) > 0`
    : `(instr(word, ${text}) > 0 and (instr(word, ${text}) <= ${last} + 1 or instr(word, '-') > 0))`
}

/** The pieces of a word: its fewest letters, then the text of each piece and the last place where it may begin. */
function piecesOf(word: string): (string | number)[] {
  const letters = [...word]
  const wrong = wrongLetters(word)
  const border = (part: number) => Math.floor((part * letters.length) / (wrong + 1))
  const pieces = partNumbers(wrong).flatMap((part, i) => {
    const [start, end] = [border(part), border(part + 1)]
    const text = i <= wrong ? letters.slice(start, end) : [...letters.slice(start, end - 1), letters[end]!]
    return [text.join(''), start + wrong]
  })
  return [letters.length - wrong, ...pieces]
}

/** A word of the catalog, and which of the words in doubt may mean it: one bit for each. */
export type NearWord = readonly [word: string, meantBy: number]

/**
 * The words of a catalog that may be meant by words of a query: an expression that gives a JSON list of `NearWord`, or
 * null if no word can be misspelt. All words of the catalog are read once. The text of the expression is the same for
 * words in which as many letters may be wrong, because a database plans each new text of a statement.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded
 */
export function nearWords(parameters: Parameters, catalog: string, words: readonly string[]): string {
  const doubtful = correctableOf(words)
  if (doubtful.length === 0) return 'null'
  let count = 0
  const nextPiece = () => `piece_${count++}`
  const meant = doubtful.map((word, bit) => {
    const shortest = nextPiece()
    const conditions = partNumbers(wrongLetters(word)).map((part) =>
      pieceCondition(part === 0, nextPiece(), nextPiece()),
    )
    return `((${conditions.join(' or ')}) and length(word) >= ${shortest}) * ${1 << bit}`
  })
  const columns = Array.from({ length: count }, (_, i) => `value ->> ${i} as piece_${i}`)
  const pieces = parameters.of(JSON.stringify(doubtful.flatMap(piecesOf)))
  return `(with pieces as materialized (select ${columns.join(', ')} from (select ${pieces} as value))
    select json_group_array(json_array(word, meant_by)) from (select word, ${meant.join(' + ')} as meant_by
      from pieces cross join ${wordsOfCatalog(catalog)}
      where meant_by > 0 limit ${COMPARED_WORDS * doubtful.length}))`
}
