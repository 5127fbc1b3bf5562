import { ALIAS_LINE_BREAK, ALIAS_SPACE, NAME_LINE_BREAK, NAME_SPACE, queryTexts } from '#shared/records/search-text'
import type { Parameters } from '#worker/storage/database'

/** What is a better match than what: the lower rank comes first. Among equals, shorter names come first. */
export const RANKS = {
  /** An id or a code that equals the query. */
  code: 0,
  /** A name that equals it, and one that begins with it. */
  nameLine: 1,
  nameStart: 2,
  codeStart: 3,
  aliasLine: 4,
  aliasStart: 5,
  /** Another word of a name that begins with it. */
  nameWord: 6,
  aliasWord: 7,
  /** Words in another order: each begins a word of a name, or any word. */
  inNames: 8,
  inWords: 9,
  /** The words are somewhere in names and aliases. */
  anywhere: 10,
} as const

/** Between one letter that is wrong and two: fewer wrong letters count more than any rank. */
export const RANKS_PER_WRONG_LETTER = RANKS.anywhere + 1

/** The order of matches, as columns. */
export const BEST_FIRST = 'rank, name_length, row_id'

/**
 * Condition: the names and aliases of the record are short enough to be compared. Their size is known without reading
 * them. Real records always meet this condition. Others rank last, and are not found by words that very many records
 * have, because comparing them all would block the database for everybody else.
 */
export const READABLE = 'octet_length(search_text) <= 20000'

/** The places in which a search text can hold a query as it is, best first. */
export const PLACES = ['nameLine', 'nameStart', 'aliasLine', 'aliasStart', 'nameWord', 'aliasWord'] as const

type Place = (typeof PLACES)[number]

/** Rank for the best place that a search text has. @param textOf the text in each place, as an expression */
export function placeRanks(textOf: (place: Place) => string): string {
  const holds = (place: Place) => `instr(search_text, ${textOf(place)}) > 0`
  // A text that holds a line holds its beginning too, so most texts are compared four times and not six times.
  const ofLine = (line: 'nameLine' | 'aliasLine', start: 'nameStart' | 'aliasStart') =>
    `when ${holds(start)} then iif(${holds(line)}, ${RANKS[line]}, ${RANKS[start]})`
  return `${ofLine('nameLine', 'nameStart')} ${ofLine('aliasLine', 'aliasStart')}
    when ${holds('nameWord')} then ${RANKS.nameWord} when ${holds('aliasWord')} then ${RANKS.aliasWord}`
}

const NAME_STARTS = [NAME_LINE_BREAK, NAME_SPACE]
const ALL_STARTS = [...NAME_STARTS, ALIAS_LINE_BREAK, ALIAS_SPACE]

/** Condition: every word of a JSON list begins a word in one of these places. */
function allBegin(list: string, starts: readonly string[]): string {
  const isMissing = starts.map((start) => `instr(search_text, char(${start.charCodeAt(0)}) || value) = 0`)
  return `not exists (select 1 from json_each(${list}) where ${isMissing.join(' and ')})`
}

/** Condition: every word of a JSON list begins a word of a name. @param list as an expression */
export const beginNameWords = (list: string): string => allBegin(list, NAME_STARTS)

/** Condition: every word of a JSON list begins a word of a name or an alias. @param list as an expression */
export const beginWords = (list: string): string => allBegin(list, ALL_STARTS)

/** The rank of a row of `records` that holds all words, as an expression. @param words folded, at least one */
export function rankOf(parameters: Parameters, words: readonly string[]): string {
  const texts = queryTexts(words)
  const list = words.length > 1 ? parameters.of(JSON.stringify(words)) : null
  const inAnotherOrder =
    list === null
      ? ''
      : ` when ${beginNameWords(list)} then ${RANKS.inNames} when ${beginWords(list)} then ${RANKS.inWords}`
  return `case when not (${READABLE}) then ${RANKS.anywhere}
    ${placeRanks((place) => parameters.of(texts[place]))}${inAnotherOrder} else ${RANKS.anywhere} end`
}
