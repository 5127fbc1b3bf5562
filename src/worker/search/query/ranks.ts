import { type SQL, sql } from 'drizzle-orm'
import { ALIAS_LINE, ALIAS_WORD, NAME_LINE, NAME_WORD, placesOf } from '#shared/records/search-text'
import { valuesOf } from '#worker/storage/statement-cache'
import { number, type PutWords, READABLE } from './candidates'

/**
 * Ranks of all other matches, in which the words of the query are in another order: first records in which each word
 * begins a word of a name, then those in which each begins any word, then the rest.
 */
const OTHER_RANKS = { names: 6, words: 7, anywhere: 8 } as const

const NAME_STARTS = [NAME_LINE, NAME_WORD]
export const ALL_STARTS = [...NAME_STARTS, ALIAS_LINE, ALIAS_WORD]

/** Condition: every word is the beginning of a word in one of these places. */
/** @param list JSON list of words */
export const allBegin = (list: SQL, starts: readonly string[]): SQL =>
  sql`not exists (select 1 from json_each(${list}) where ${sql.join(
    starts.map((start) => sql`instr(search_text, char(${number(start.charCodeAt(0))}) || value) = 0`),
    sql` and `,
  )})`

/** The kinds of other matches; each condition excludes the others. */
export function otherKinds(
  words: readonly string[],
  put: PutWords = valuesOf({ words }),
): { rank: number; condition: SQL }[] {
  if (words.length === 1) return [{ rank: OTHER_RANKS.anywhere, condition: sql`true` }]
  const list = () => put((query) => JSON.stringify(query.words))
  const inNames = allBegin(list(), NAME_STARTS)
  const inAll = allBegin(list(), ALL_STARTS)
  return [
    { rank: OTHER_RANKS.names, condition: inNames },
    { rank: OTHER_RANKS.words, condition: sql`not ${inNames} and ${inAll}` },
    { rank: OTHER_RANKS.anywhere, condition: sql`not ${inAll}` },
  ]
}

export const otherRank = (words: readonly string[], put?: PutWords): SQL =>
  sql`(case${sql.join(otherKinds(words, put).map(({ rank, condition }) => sql` when ${condition} then ${number(rank)}`))} end)`

const FORMS = ['nameLine', 'nameStart', 'aliasLine', 'aliasStart', 'nameWord', 'aliasWord'] as const

/** The rank of a record that holds all words. */
export const rankIn = (words: readonly string[], put: PutWords): SQL => {
  const cases = FORMS.map((form, rank) => {
    const text = put((query) => placesOf(query.words)[form])
    return sql` when instr(search_text, ${text}) > 0 then ${number(rank)}`
  })
  return sql`case when not (${READABLE}) then ${number(OTHER_RANKS.anywhere)}${sql.join(cases)} else ${otherRank(words, put)} end`
}

/**
 * Records that the index names and that meet a condition, best first. A join, because `in` would put the row ids into a
 * list of its own first, which costs as many rows again.
 *
 * @param rows query for the column `row_id`, without repetitions
 */
export const lookedUp = (rows: SQL, condition: SQL, rank: SQL, limit: number): SQL =>
  sql`select * from (select row_id, ${rank} as tier, name_length from (${rows}) cross join records using (row_id)
    where +is_active = 1${condition} order by tier, name_length, row_id limit ${number(limit)})`
