import { isUnspaced } from '#shared/text/fold'
import { LIST_BEGINNING, listedWords, mayHold } from '#worker/search/index/word-index'
import type { Parameters } from '#worker/storage/database'
import type { Need } from './needs'
import { type Sound, soundOf } from './sounds'

/** Which words of a catalog a misspelled word may mean. */

/** Fewest letters of a word in which one letter, or two, may be wrong. */
const ONE_WRONG_FROM = 5
const TWO_WRONG_FROM = 9

/** Fewest letters for two wrong ones, if a whole word with the same first letter is meant. */
const TWO_WRONG_IN_WHOLE_FROM = 6

/** Fewest letters of the intended word for three wrong ones. Shorter names of medications differ by as few letters. */
const THREE_WRONG_IN_WHOLE_FROM = 12

/** The distance of a word that sounds alike: less likely than one wrong letter, and more likely than two. */
const SOUNDS_ALIKE = 1.5

/** Largest difference in length of words that sound alike. */
const SOUND_LENGTHS = 4

/** Most words of a query that are corrected: the longest ones. */
const CORRECTED_WORDS = 3

/** Most words of the catalog that are compared with one word of the query. */
const COMPARED_WORDS = 2000

/** Fewest letters of the first of two words that were typed as one. */
const FIRST_PART_FROM = 3

const lengthOf = (word: string): number => [...word].length

/** Number of letters that may be wrong in the beginning of a word. */
const wrongInBeginning = (word: string): number => {
  const length = lengthOf(word)
  return length >= TWO_WRONG_FROM ? 2 : length >= ONE_WRONG_FROM ? 1 : 0
}

/** Number of wrong letters allowed if a whole word with the same first letter is meant. @param letters its length */
const wrongInWhole = (typed: string, letters: number): number => {
  if (letters >= THREE_WRONG_IN_WHOLE_FROM) return 3
  return lengthOf(typed) >= TWO_WRONG_IN_WHOLE_FROM ? 2 : wrongInBeginning(typed)
}

/** The same for the typed word, which may lack one letter for each wrong one. */
const mostWrongInWhole = (typed: string): number => wrongInWhole(typed, lengthOf(typed) + 3)

/** The words of a query that may be misspelled: those without digits. */
export const correctableOf = (needs: readonly Need[]): string[] =>
  [...new Set(needs.filter(({ kind }) => kind === 'word').flatMap(({ words }) => words))]
    .filter((word) => wrongInBeginning(word) > 0 && !/\d/.test(word) && !isUnspaced(word))
    .sort((a, b) => b.length - a.length)
    .slice(0, CORRECTED_WORDS)

/** Pigeonhole principle: k wrong letters leave one of k + 1 parts intact, so a word must contain one of these. */
interface Piece {
  text: string
  start: number
}

/**
 * Cuts a word into one part more than letters may be wrong, so that one part stays unchanged. A swap across a border
 * changes two parts, so the part before each border is added again with the letters swapped.
 */
function piecesOf(typed: string): Piece[] {
  const letters = [...typed]
  const parts = wrongInBeginning(typed) + 1
  const border = (part: number) => Math.floor((part * letters.length) / parts)
  const pieces: Piece[] = []
  for (let part = 0; part < parts; part++) {
    const [start, end] = [border(part), border(part + 1)]
    pieces.push({ text: letters.slice(start, end).join(''), start })
    const afterBorder = letters[end]
    if (afterBorder !== undefined)
      pieces.push({ text: [...letters.slice(start, end - 1), afterBorder].join(''), start })
  }
  return pieces
}

const areFirst = (pieces: readonly Piece[]) => pieces.filter(({ start }) => start === 0).map(({ text }) => text)
const areLater = (pieces: readonly Piece[]) => pieces.filter(({ start }) => start > 0)

/** Sorts after every text with the prefix to which it is appended. */
const LAST = '\u{10ffff}'

const beginning = (text: string): string => [...text].slice(0, LIST_BEGINNING).join('')

/**
 * Condition on `word`: it contains one of the parts near the same position, or the typed word begins with it (two words
 * typed as one), or it begins with the same letter and has a similar length, or it may sound alike.
 */
function mayBeMeant(parameters: Parameters, typed: string): string {
  const wrong = wrongInBeginning(typed)
  // A bound value, because the database plans each new statement text.
  const number = (value: number) => `${parameters.of(String(value))} + 0`
  const begins = (text: string) => `(word >= ${parameters.of(text)} and word < ${parameters.of(text + LAST)})`
  const pieces = piecesOf(typed)
  const conditions = [
    ...areFirst(pieces).map(begins),
    ...areLater(pieces).map(
      ({ text, start }) => `instr(word, ${parameters.of(text)}) between 1 and ${number(start + wrong + 1)}`,
    ),
    `(instr(${parameters.of(typed)}, word) = 1 and length(word) >= ${FIRST_PART_FROM})`,
  ]
  const isAbout = (letters: number) =>
    `length(word) between ${number(lengthOf(typed) - letters)} and ${number(lengthOf(typed) + letters)}`
  if (mostWrongInWhole(typed) > wrong)
    conditions.push(`(${begins([...typed][0] ?? '')} and ${isAbout(mostWrongInWhole(typed))})`)
  const sound = soundOf(typed)
  if (sound !== undefined) conditions.push(`(word glob ${parameters.of(sound.pattern)} and ${isAbout(SOUND_LENGTHS)})`)
  return `(${conditions.join(' or ')}) and not (word glob '*[0-9]*')`
}

/** Pre-filter on `search_words`: may give false positives, never false negatives. */
function mayListMeant(parameters: Parameters, typed: string): string {
  const pieces = piecesOf(typed)
  const beginnings = [...areFirst(pieces), typed].map((text) => parameters.of(beginning(text)))
  const conditions = [
    `beginning in (${[...new Set(beginnings)].join(', ')})`,
    ...areLater(pieces).map(({ text }) => mayHold(parameters, text)),
  ]
  if (mostWrongInWhole(typed) > wrongInBeginning(typed)) {
    const first = [...typed][0] ?? ''
    conditions.push(`(beginning >= ${parameters.of(first)} and beginning < ${parameters.of(first + LAST)})`)
  }
  const sound = soundOf(typed)
  if (sound !== undefined) conditions.push(`beginning glob ${parameters.of(sound.beginning)}`)
  return `(${conditions.join(' or ')})`
}

/** A word of the catalog, and which of `correctableOf` may mean it. */
export type NearWord = readonly [word: string, meantBy: number]

/**
 * The words of a catalog that may be meant: an expression for a JSON list of `NearWord`, or null. It includes words of
 * the query that the catalog contains.
 *
 * @param catalog expression for the ID
 * @param words from `correctableOf`
 */
export function nearWords(parameters: Parameters, catalog: string, words: readonly string[]): string {
  if (words.length === 0) return 'null'
  const near = words.map((typed, n) => {
    const isTyped = `word = ${parameters.of(typed)}`
    const meant = `from ${listedWords(catalog, mayListMeant(parameters, typed))} where ${mayBeMeant(parameters, typed)}`
    return `select * from (select word, ${n} as meant_by ${meant} order by ${isTyped} desc limit ${COMPARED_WORDS})`
  })
  return `(select json_group_array(json_array(word, meant_by)) from (${near.join(' union all ')}))`
}

/** A word of the catalog, or the beginning of one, that a typed word may mean. */
export interface Meaning {
  /** Number of wrong, missing, extra or swapped letters, or `SOUNDS_ALIKE`. */
  distance: number
  /** One word or two. */
  words: readonly string[]
}

/**
 * The distances from a typed word to the beginnings of another word, by their lengths. Uses optimal string alignment
 * (Damerau–Levenshtein without changing a letter twice). Null if all exceed `most`.
 */
function distances(a: readonly string[], b: readonly string[], most: number): number[] | null {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    // A swap looks two rows back, so after two rows beyond the limit, all later rows are beyond it.
    if (Math.min(...next) > most && Math.min(...row) > most) return null
    before = row
    row = next
  }
  return row
}

/**
 * What a typed word may mean, given a word of the catalog: the whole word, its nearest beginning (the longest, if there
 * are several), or a word that sounds alike.
 *
 * @param sound sound of the typed word
 */
export function meaningOf(typed: string, word: string, sound: Sound | undefined = soundOf(typed)): Meaning | null {
  const nearest = nearestOf(typed, word)
  if (nearest !== null && nearest.distance < SOUNDS_ALIKE) return nearest.distance === 0 ? null : nearest
  const isAlike = Math.abs(lengthOf(word) - lengthOf(typed)) <= SOUND_LENGTHS && sound?.isAlike(word)
  return isAlike ? { distance: SOUNDS_ALIKE, words: [word] } : nearest
}

/** The same without sounds. The distance is 0 if the word begins with the typed word. */
function nearestOf(typed: string, word: string): Meaning | null {
  const [a, b] = [[...typed], [...word]]
  const most = wrongInBeginning(typed)
  const mostInWhole = a[0] === b[0] ? wrongInWhole(typed, b.length) : most
  const row = distances(a, b.slice(0, a.length + mostInWhole), mostInWhole)
  if (row === null) return null
  const whole = b.length < row.length ? (row[b.length] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  const nearest = Math.min(...row)
  if (whole <= mostInWhole && (whole === nearest || nearest > most)) return { distance: whole, words: [word] }
  if (nearest > most) return null
  return { distance: nearest, words: [b.slice(0, row.lastIndexOf(nearest)).join('')] }
}

/** Splits the typed word after a word of the catalog. Null if it does not begin with that word. */
export function splitAfter(typed: string, word: string): Meaning | null {
  const rest = typed.slice(word.length)
  const isSplit = typed.startsWith(word) && lengthOf(word) >= FIRST_PART_FROM && lengthOf(rest) >= FIRST_PART_FROM
  return isSplit ? { distance: 1, words: [word, rest] } : null
}
