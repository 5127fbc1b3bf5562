import { type SQL, sql } from 'drizzle-orm'
import { MAX_SEARCH_RESULTS } from '#shared/limits'
import { recordTypes } from '#shared/records/record-types'
import { codesOf } from '#shared/records/stored-form'
import { foldCode } from '#worker/search/index/fold-codes'
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

type Codes = Pick<SearchQuestion, 'words'>

const wanted = ({ words }: Codes): string => words.join(' ')
const findsBeginnings = (text: string): boolean => [...text].length >= BEGINNING_FROM
const lastCode = (text: string): string => (findsBeginnings(text) ? text + LAST : text)

/** What SQLite's `upper` makes of a text: it knows ASCII only. */
const capital = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** The end of the capital ids; the empty text if they are the small ones, which are read already. */
const lastCapital = (text: string): string => (capital(text) === text ? '' : lastCode(capital(text)))

/** The active records of a range of codes or ids, with the rank of each. */
function inRange(table: SQL, column: string, first: SQL, last: SQL): SQL {
  const name = sql.raw(column)
  const rank = sql`iif(${name} = ${first}, ${number(CODE_RANKS.whole)}, ${sql.raw(String(CODE_RANKS.beginning))})`
  return sql`select * from (select row_id, tier, name_length from (select row_id, ${rank} as tier from ${table}
      where catalog_id = ${SEARCHED} and ${name} between ${first} and ${last} order by ${name} limit ${number(READ_CODES)})
    cross join records using (row_id) where +is_active = 1 limit ${number(TAKEN_RECORDS)})`
}

/**
 * Most ids are written in small letters or in capitals alone, so the index of ids finds them. The others are among the
 * codes (see `record_codes`).
 *
 * @param put takes every value of the question
 */
export function rangesStatement(asked: SearchQuestion, put: PutAnswer): SQL<FoundRecord> {
  const ids = sql.raw('records indexed by records_id')
  const small = put(wanted)
  const big = put((question) => capital(wanted(question)))
  const last = put((question) => lastCode(wanted(question)))
  const lastBig = put((question) => lastCapital(wanted(question)))
  const most = Math.min(Math.max(asked.limit, ENOUGH_MATCHES), MAX_SEARCH_RESULTS)
  const ranges = [
    inRange(sql.raw('record_codes'), 'code', small, last),
    inRange(ids, 'record_id', small, last),
    inRange(ids, 'record_id', big, lastBig),
  ]
  return sql`with ${searchedIn(searchedCatalog(asked, put))},
    found as materialized (select row_id, min(tier) as tier, name_length from (${sql.join(ranges, sql` union all `)})
      group by row_id order by tier, name_length, row_id limit ${number(most)})
    select ${foundColumns()} from found cross join records using (row_id) order by ${BEST_FIRST}`
}

const codeStatements = new StatementCache(
  ({ source, limit }: SearchQuestion) => JSON.stringify([source, limit]),
  rangesStatement,
)

/** The best records with an id or a code that equals the query or begins with it; see `checkedCodes`. */
export const codeStatement = (asked: SearchQuestion): Query<FoundRecord> => codeStatements.statement(asked)

/**
 * Leaves out records that do not have such a code, and ranks the others by it. The Worker does not rely on the database
 * for this: a drug that is found by the code of another one would be the first result.
 */
export function checkedCodes(
  rows: readonly FoundRecord[],
  { words, type }: Codes & Pick<SearchQuestion, 'type'>,
) {
  const code = wanted({ words })
  return rows.flatMap((row): FoundRecord[] => {
    const own = codesOf(recordTypes[type], row).map(foldCode)
    if (own.includes(code)) return [{ ...row, tier: CODE_RANKS.whole }]
    const begins = findsBeginnings(code) && own.some((other) => other.startsWith(code))
    return begins ? [{ ...row, tier: CODE_RANKS.beginning }] : []
  })
}

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
