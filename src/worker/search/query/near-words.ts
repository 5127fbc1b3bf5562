import { LIST_BEGINNING, listedWords, mayHold } from '#worker/search/index/word-index'
import type { Parameters } from '#worker/storage/database'

/** Which words of a catalog a misspelt word may mean. */

/** Letters that a word of the query must have before one of them, or two of them, may be wrong. */
const ONE_WRONG_FROM = 5
const TWO_WRONG_FROM = 9

/** Words of a query that are corrected at most, the longest ones. */
const CORRECTED_WORDS = 3

/** Words of the catalog that are compared with one word of the query. */
const COMPARED_WORDS = 2000

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

/** A part of a word that is unchanged if the others have the wrong letters. */
interface Piece {
  text: string
  start: number
}

function piecesOf(typed: string): Piece[] {
  const letters = [...typed]
  const wrong = wrongLetters(typed)
  const border = (part: number) => Math.floor((part * letters.length) / (wrong + 1))
  return partNumbers(wrong).map((part, i) => {
    const [start, end] = [border(part), border(part + 1)]
    const piece = i <= wrong ? letters.slice(start, end) : [...letters.slice(start, end - 1), letters[end]!]
    return { text: piece.join(''), start }
  })
}

const areFirst = (pieces: readonly Piece[]) => pieces.filter(({ start }) => start === 0).map(({ text }) => text)
const areLater = (pieces: readonly Piece[]) => pieces.filter(({ start }) => start > 0)

/** Comes after every text that begins with the text before it. */
const LAST = '\u{10ffff}'

const either = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`

/** Condition on `word`: it may be meant by this one, because it holds one of its pieces near the same place. */
function mayBeMeant(parameters: Parameters, typed: string): string {
  const wrong = wrongLetters(typed)
  // As a value: a database plans each new text of a statement.
  const number = (value: number) => `${parameters.of(String(value))} + 0`
  const pieces = piecesOf(typed)
  const begins = areFirst(pieces).map(
    (text) => `(word >= ${parameters.of(text)} and word < ${parameters.of(text + LAST)})`,
  )
  const holds = areLater(pieces).map(
    ({ text, start }) => `instr(word, ${parameters.of(text)}) between 1 and ${number(start + wrong + 1)}`,
  )
  // A word of several parts, such as "x-linked", may hold the beginning after its first part. If a letter was added
  // before it, another piece stays unchanged, in any place.
  const inParts = [
    ...areFirst(pieces).map((text) => `instr(word, ${parameters.of(`-${text}`)}) > 0`),
    ...areLater(pieces).map(({ text }) => `instr(word, ${parameters.of(text)}) > 0`),
  ]
  return either([...begins, ...holds, `(instr(word, '-') > 0 and ${either(inParts)})`])
}

/** Condition on `search_words`: false only if no word of the list may be meant by this one. */
function mayListMeant(parameters: Parameters, typed: string): string {
  const pieces = piecesOf(typed)
  const beginnings = areFirst(pieces).map((text) => parameters.of([...text].slice(0, LIST_BEGINNING).join('')))
  const others = [...areFirst(pieces).map((text) => `-${text}`), ...areLater(pieces).map(({ text }) => text)]
  return either([`beginning in (${beginnings.join(', ')})`, ...others.map((text) => mayHold(parameters, text))])
}

/** A word of the catalog, and which of `correctableOf` may mean it. */
export type NearWord = readonly [word: string, meantBy: number]

/**
 * The words of a catalog that may be meant by words of a query: an expression that gives a JSON list of `NearWord`, or
 * null if no word can be misspelt. The text of the expression is the same for words in which as many letters may be
 * wrong.
 *
 * @param catalog id of the catalog, as an expression
 * @param words folded
 */
export function nearWords(parameters: Parameters, catalog: string, words: readonly string[]): string {
  const doubtful = correctableOf(words)
  if (doubtful.length === 0) return 'null'
  const near = doubtful.map(
    (
      typed,
      n,
    ) => `select * from (select word, ${n} as meant_by from ${listedWords(catalog, mayListMeant(parameters, typed))}
      where ${mayBeMeant(parameters, typed)} limit ${COMPARED_WORDS})`,
  )
  return `(select json_group_array(json_array(word, meant_by)) from (${near.join(' union all ')}))`
}

/** The beginning of a word that is nearest to the typed word. */
interface NearBeginning {
  /** Letters that are wrong, missing, added or swapped with their neighbour. */
  distance: number
  text: string
}

/**
 * The beginning of `word` that takes the fewest changes to become `typed`, counted as the optimal string alignment
 * distance (Damerau and Levenshtein, no letter changed twice). Of several that are equally near, the longest one.
 *
 * @param most most changes allowed @returns null when every beginning takes more
 */
export function nearBeginning(typed: string, word: string, most: number): NearBeginning | null {
  const a = [...typed]
  const b = [...word].slice(0, a.length + most)
  let before: number[] = []
  let row = b.map((_, j) => j)
  row.push(b.length)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
    }
    // A swap looks two rows back. So after two rows that are too far away, every later row is too far away as well.
    if (Math.min(...next) > most && Math.min(...row) > most) return null
    before = row
    row = next
  }
  const distance = Math.min(...row)
  return distance > most ? null : { distance, text: b.slice(0, row.lastIndexOf(distance)).join('') }
}
