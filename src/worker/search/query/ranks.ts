import { FACT_MARKS } from '#shared/records/search/quantities'
import {
  ALIAS_LINE_BREAK,
  ALIAS_SPACE,
  FACT_BREAK,
  NAME_LINE_BREAK,
  NAME_SPACE,
  queryTexts,
} from '#shared/records/search/search-text'
import { RELEASE_MARK } from '#shared/records/search/word-meanings'
import type { Parameters } from '#worker/storage/database'
import { type Need, nameWordsOf } from './needs'

/** What is a better match than what: the lower rank comes first (docs/contract.md#order-of-matches). */
export const RANKS = {
  /** An id or a code that equals the query. */
  code: 0,
  /** A name that equals it, and one that begins with it. */
  nameLine: 1,
  nameStart: 2,
  codeStart: 3,
  /** Also of a generic name or a term. */
  aliasLine: 4,
  aliasStart: 5,
  /** Other words of a name, in the order of the query. */
  nameWord: 6,
  aliasWord: 7,
  /** Words in another order: each begins a word of a name, or another one. */
  inNames: 8,
  other: 9,
} as const

/** Among equals, numbers and forms that stand there as written come first (`steps`), then shorter names. */
export const BEST_FIRST = 'is_begun, rank, steps, name_length, row_id'

/**
 * Condition: the search text of the record is short enough to be compared. Its size is known without reading it. Real
 * records always meet this condition. Others rank last, because comparing them all would block the database.
 */
const READABLE = 'octet_length(search_text) <= 20000'

/** Rank for the best place in which the search text holds words side by side. */
function placeRank(parameters: Parameters, words: readonly string[]): string {
  const texts = queryTexts(words)
  const holds = (place: keyof typeof texts) => `instr(search_text, ${parameters.of(texts[place])}) > 0`
  // A text that holds a line holds its beginning too, so most texts are compared four times and not six times.
  return `case when ${holds('nameStart')} then iif(${holds('nameLine')}, ${RANKS.nameLine}, ${RANKS.nameStart})
    when ${holds('aliasStart')} then iif(${holds('aliasLine')}, ${RANKS.aliasLine}, ${RANKS.aliasStart})
    when ${holds('nameWord')} then ${RANKS.nameWord} when ${holds('aliasWord')} then ${RANKS.aliasWord}
    else ${RANKS.other} end`
}

/** Condition: every word of a JSON list begins a word of a name. */
function beginNameWords(parameters: Parameters, words: readonly string[]): string {
  const list = parameters.of(JSON.stringify(words))
  const isMissing = [NAME_LINE_BREAK, NAME_SPACE].map(
    (separator) => `instr(search_text, char(${separator.charCodeAt(0)}) || value) = 0`,
  )
  return `not exists (select 1 from json_each(${list}) where ${isMissing.join(' and ')})`
}

/**
 * The ways to read the words of a query in a name: all of them as they are; the words that name something; and these
 * with the other name of each.
 */
function phrasesOf(needs: readonly Need[]): string[][] {
  const names = nameWordsOf(needs)
  const otherNames = needs.flatMap(({ kind, words, otherName }) =>
    kind === 'word' ? (otherName === null ? words : [otherName]) : [],
  )
  const phrases = [needs.flatMap(({ words }) => words), names, otherNames]
  return [...new Map(phrases.filter(({ length }) => length > 0).map((words) => [words.join(' '), words])).values()]
}

/** The rank of a row of `records` that meets all needs, as an expression. */
export function rankOf(parameters: Parameters, needs: readonly Need[]): string {
  const phrases = phrasesOf(needs)
  const ranks = phrases.map((words) => placeRank(parameters, words))
  const names = nameWordsOf(needs)
  const inAnotherOrder =
    names.length > 1 ? [`iif(${beginNameWords(parameters, names)}, ${RANKS.inNames}, ${RANKS.other})`] : []
  const all = [...ranks, ...inAnotherOrder]
  return `iif(${READABLE}, ${all.length > 1 ? `min(${all.join(', ')})` : (all[0] ?? RANKS.other)}, ${RANKS.other})`
}

const WORD_BREAKS = NAME_LINE_BREAK + NAME_SPACE + ALIAS_LINE_BREAK + ALIAS_SPACE

/** Condition: the search text holds the whole word. */
const holdsWord = (parameters: Parameters, word: string): string =>
  `search_text glob ${parameters.of(`*[${WORD_BREAKS}]${word}[${WORD_BREAKS}\f]*`)}`

/** Condition: the search text holds the whole fact. */
const holdsFact = (parameters: Parameters, fact: string): string =>
  `instr(search_text, ${parameters.of(FACT_BREAK + fact + FACT_BREAK)}) > 0`

/** How many numbers, forms and releases a row meets otherwise than as written, as an expression. */
export function stepsOf(parameters: Parameters, needs: readonly Need[]): string {
  const steps = needs.flatMap(({ kind, words, fact }) => {
    if (kind === 'number' || kind === 'release') return [`not (${holdsWord(parameters, words[0] ?? '')})`]
    return kind === 'form' && fact !== null ? [`not (${holdsFact(parameters, fact)})`] : []
  })
  const hasForm = needs.some(({ kind }) => kind === 'form')
  const hasRelease = needs.some(({ kind }) => kind === 'release')
  // A plain form comes first if no release was asked for.
  const releases = hasForm && !hasRelease ? [`instr(search_text, ${parameters.of(FACT_BREAK + RELEASE_MARK)}) > 0`] : []
  return [...steps, ...releases].map((step) => `(${step})`).join(' + ') || '0'
}

/** Whether a number at the end of the query is only the beginning of one in the row, as an expression. */
export function isBegun(parameters: Parameters, needs: readonly Need[]): string {
  const begun = needs.filter(({ mayBeBegun }) => mayBeBegun)
  return (
    begun
      .map(({ words: [number = ''] }) => {
        const derived = holdsFact(parameters, FACT_MARKS.derived + number)
        return `not (${holdsWord(parameters, number)} or ${derived})`
      })
      .join(' or ') || '0'
  )
}
