import { type SQL, sql } from 'drizzle-orm'
import { MAX_SEARCH_RESULTS } from '#shared/limits'
import { codeTexts } from '#shared/records/codes'
import { CODE_PLACE } from '#worker/search/index/word-index'
import type { Query } from '#worker/storage/database'
import { StatementCache } from '#worker/storage/statement-cache'
import { number } from './candidates'
import { ENOUGH_MATCHES, type PutAnswer, type SearchQuestion, searchedCatalog } from './one-trip-search'
import type { FoundRecord } from './search-result'
import { SEARCHED, searchedIn } from './searched-catalog'
import { BEST_FIRST, foundColumns } from './tiers'

/** Ranks of records that are found by an id or a code, among those of `rankIn`. */
export const CODE_RANKS = { whole: -1, beginning: 1.5 } as const

/** A query of fewer characters finds whole codes only. */
const BEGINNING_FROM = 3

/**
 * Active records that are taken, in the order of their codes, if the codes of more begin with the query, and codes
 * that are read for them at most: some tenths of a millisecond.
 */
const TAKEN_RECORDS = 200
const READ_CODES = 1500

/** Comes after every text that begins with the text before it. */
const LAST = '\u{10ffff}'

const wanted = ({ words }: Pick<SearchQuestion, 'words'>): string => words.join(' ')
const findsBeginnings = (text: string): boolean => [...text].length >= BEGINNING_FROM
const token = (question: SearchQuestion): string => wanted(question).replaceAll(' ', '')

/**
 * A token has no white space, and its letters are folded once more by the index, so the codes themselves are compared.
 *
 * @param put takes every value of the question
 */
export function codesStatement(asked: SearchQuestion, put: PutAnswer): SQL<FoundRecord> {
  const first = sql`${SEARCHED} || ${CODE_PLACE} || ${put(token)}`
  const last = sql`${SEARCHED} || ${CODE_PLACE} || ${put((question) => {
    const text = token(question)
    return findsBeginnings(wanted(question)) ? text + LAST : text
  })}`
  const whole = put((question) => codeTexts(wanted(question)).whole)
  const beginning = put(
    (question) => codeTexts(wanted(question))[findsBeginnings(wanted(question)) ? 'beginning' : 'whole'],
  )
  const most = Math.min(Math.max(asked.limit, ENOUGH_MATCHES), MAX_SEARCH_RESULTS)
  return sql`with ${searchedIn(searchedCatalog(asked, put))},
    taken as materialized (select row_id, name_length, iif(instr(codes, ${whole}) > 0, ${number(CODE_RANKS.whole)}, ${sql.raw(String(CODE_RANKS.beginning))}) as tier
      from (select doc from records_entries where term >= ${first} and term <= ${last} limit ${number(READ_CODES)})
        cross join records on row_id = doc
      where +is_active = 1 and instr(codes, ${beginning}) > 0 limit ${number(TAKEN_RECORDS)}),
    found as materialized (select distinct row_id, tier, name_length from taken order by tier, name_length, row_id limit ${number(most)})
    select ${foundColumns()} from found cross join records using (row_id) order by ${BEST_FIRST}`
}

const codeStatements = new StatementCache(
  ({ source, limit }: SearchQuestion) => JSON.stringify([source, limit]),
  codesStatement,
)

/** The best records with an id or a code that equals the query or begins with it. */
export const codeStatement = (asked: SearchQuestion): Query<FoundRecord> => codeStatements.statement(asked)

/** Two results of one search as one, best first. A record that is in both has the better rank. */
export function withCodes(codes: readonly FoundRecord[], others: readonly FoundRecord[]): FoundRecord[] {
  if (codes.length === 0) return [...others]
  const best = new Map(codes.map((row) => [row.row_id, row]))
  for (const row of others) {
    const found = best.get(row.row_id)
    if (found === undefined || row.tier < found.tier) best.set(row.row_id, row)
  }
  return [...best.values()].sort(
    (a, b) => a.tier - b.tier || a.name_length - b.name_length || a.row_id - b.row_id,
  )
}
