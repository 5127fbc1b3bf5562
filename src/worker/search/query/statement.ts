import { MAX_SEARCH_MATCHES } from '#shared/limits'
import type { RecordTypeName } from '#shared/records/record-type'
import { codeTexts, queryTexts } from '#shared/records/search-text'
import type { RecordRow } from '#shared/records/stored-form'
import { codeToken, nameOfWords, queryIn, wordBeginnings } from '#worker/search/index/word-index'
import type { Source } from '#worker/search/schemas'
import { Parameters, type Statement } from '#worker/storage/database'
import { catalogIn, containsWords, FEW_CANDIDATES, hitsFor, hitsOf, holdsWords, listOf } from './candidates'
import { nearWords } from './near-words'
import { BEST_FIRST, beginWords, RANKS, READABLE, rankOf } from './ranks'
import { PROVIDER_WORKSPACE } from './search-plan'

/** When fewer records than this match, records that nearly match follow. */
export const ENOUGH_MATCHES = 5

/**
 * Records that a search reads one after the other, shortest names first, when the index names too many. In a catalog
 * with more records, the records with the longest names are not found by words that very many records have.
 */
const SCANNED_RECORDS = 100_000

/** The length of the names at which such a reading ends, as an expression. */
const longestScanned = (catalog: string): string =>
  `iif((select active_records from catalogs where catalog_id = ${catalog}) <= ${SCANNED_RECORDS},
    ${Number.MAX_SAFE_INTEGER},
    (select name_length from records indexed by records_scan where catalog_id = ${catalog} and is_active = 1
      order by name_length limit 1 offset ${SCANNED_RECORDS}))`

/**
 * Names that begin with a query of up to so many letters are looked for by themselves first: they are usually enough.
 */
const MOST_LETTERS_OF_BEGINNING = 2

/** A query of fewer characters finds whole codes only. */
const CODE_BEGINNING_FROM = 3

/**
 * Codes that are read if the codes of more records begin with the query: about a millisecond. As many records as can be
 * read at all are taken of them, in the order of their codes.
 */
const READ_CODES = 1500

/** Comes after every text that begins with the text before it. */
const LAST = '\u{10ffff}'

/** A word of one letter begins words of very many records, so the index is not asked for words that begin with it. */
const isShort = (word: string): boolean => [...word].length === 1

export interface FoundRecord extends RecordRow {
  /** See `RANKS`. */
  rank: number
  name_length: number
  row_id: number
}

/** A row of `searchStatement`: a match, or none, which says the same of a query without matches. */
export type SearchRow = (FoundRecord | { row_id: null }) & {
  /** JSON list of `NearWord` in the first row, if there are too few matches. */
  near: string | null
}

export interface SearchQuestion {
  /** Folded; one at least. */
  words: readonly string[]
  /** Matches that earlier pages have: they come without their data, because records can be large. */
  offset: number
  /** Matches of the page and before it; 1 to 500. */
  limit: number
  type: RecordTypeName
  workspaceId: string
  /** Whose catalog is searched; null if the switch of the workspace decides, which the database looks up. */
  source: Source | null
}

/** The id of the catalog that is searched, as an expression. */
export function searchedCatalog(parameters: Parameters, { type, workspaceId, source }: SearchQuestion): string {
  const ofType = parameters.of(type)
  const own = () => parameters.of(workspaceId)
  const provider = () => parameters.of(PROVIDER_WORKSPACE)
  if (source !== null) return catalogIn(source === 'workspace' ? own() : provider(), ofType)
  const isOn = `(select search_enabled from catalogs where workspace_id = ${own()} and type = ${ofType}) = 1`
  return catalogIn(`iif(${isOn}, ${own()}, ${provider()})`, ofType)
}

/**
 * The active records with an id or a code that equals the query or begins with it, in the order of the codes. A token
 * has no white space, and the index folds its letters once more, so the codes themselves are compared.
 */
function codeMatches(parameters: Parameters, words: readonly string[]): string {
  const code = words.join(' ')
  const texts = codeTexts(code)
  const isBeginning = [...code].length >= CODE_BEGINNING_FROM
  const first = codeToken(parameters, 'catalog', code)
  const last = isBeginning ? codeToken(parameters, 'catalog', code + LAST) : first
  return `select distinct row_id, name_length,
      iif(instr(codes, ${parameters.of(texts.whole)}) > 0, ${RANKS.code}, ${RANKS.codeStart}) as rank
    from (select doc from records_entries where term >= ${first} and term <= ${last} limit ${READ_CODES})
      cross join records on row_id = doc
    where +is_active = 1 and instr(codes, ${parameters.of(isBeginning ? texts.beginning : texts.whole)}) > 0
    limit ${MAX_SEARCH_MATCHES}`
}

/**
 * Condition on `prefix_hits`: words of so many records begin with the words of the query that nobody needs to look for
 * words that hold them further on. Those records rank last.
 */
function isSettled(parameters: Parameters, words: readonly string[], most: number): string {
  const short = words.filter(isShort)
  const condition = short.length > 0 ? beginWords(parameters.of(JSON.stringify(short))) : 'true'
  return `json_array_length(prefix_hits) <= ${FEW_CANDIDATES} and ${most} = (select count(*) from
    (select 1 from (select value as row_id from json_each(prefix_hits)) cross join records using (row_id)
      where +is_active = 1 and ${READABLE} and ${condition} limit ${most}))`
}

/**
 * The best matches of a query; and if there are too few, the words of the catalog that may be meant.
 *
 * `prefix_hits` are the records in which words begin with the words of the query. If there are few, and enough of them
 * are active, no other record can be better. Else `hits` are all that the index names. If these are too many, the texts
 * of the catalog are read: first for `names` that begin with the query, which are enough for most queries of a letter
 * or two, then for all matches.
 */
export function searchStatement(question: SearchQuestion): Statement<SearchRow> {
  const { words, limit, offset } = question
  const parameters = new Parameters()
  const most = Math.max(limit, ENOUGH_MATCHES)
  const long = words.filter((word) => !isShort(word))
  const prefixHits =
    long.length === 0 ? `'[]'` : listOf(hitsOf('catalog', queryIn(parameters, wordBeginnings(long), 'catalog')))
  const isComplete = long.length === words.length
  const isTooMany = isComplete ? `json_array_length(prefix_hits) > ${FEW_CANDIDATES}` : 'false'
  const rank = rankOf(parameters, words)
  const { nameLine, nameStart } = queryTexts(words)
  const holds = holdsWords(parameters, words, `iif(is_settled, ${isComplete}, all_asked)`)
  const best = `order by ${BEST_FIRST} limit ${most}`
  // An id that no catalog has: as a condition of its own it would be checked for every row.
  const scan = (unless: string) => `from records indexed by records_scan
        where catalog_id = iif(${unless}, -1, catalog) and is_active = 1
          and name_length <= ${longestScanned('catalog')}`
  const shortestNames = `order by name_length, row_id limit ${most}`
  const unlessFew = (query: string) => `iif(is_settled or few, null, ${queryIn(parameters, query, 'catalog')})`
  // In the order of the index, which ends the pass when there are enough.
  const nameMatches = () => `select * from (select row_id, name_length, ${RANKS.nameLine} as rank
        from (${hitsOf('catalog', unlessFew(nameOfWords(words)))}) cross join records using (row_id)
        where +is_active = 1 and ${READABLE} and instr(search_text, ${parameters.of(nameLine)}) > 0 ${shortestNames})
      union all select * from (select row_id, name_length, ${RANKS.nameStart} ${scan('is_settled or few')}
        and instr(search_text, ${parameters.of(nameStart)}) > 0 and instr(search_text, ${parameters.of(nameLine)}) = 0
        and ${READABLE} ${shortestNames})`
  // A longer query that is in very many records seldom begins a name.
  const beginnings =
    words.join('').length <= MOST_LETTERS_OF_BEGINNING
      ? listOf(nameMatches(), 'json_array(row_id, name_length, rank)')
      : `'[]'`
  const matches = `select row_id, min(rank) as rank, name_length from (
      select * from (${codeMatches(parameters, words)})
      union all select * from (select row_id, name_length, ${rank} as rank
        from (select value as row_id from json_each(iif(is_settled, prefix_hits, iif(few, row_ids, '[]'))))
          cross join records using (row_id)
        where +is_active = 1${holds} ${best})
      union all select value ->> 0, value ->> 1, value ->> 2 from json_each(name_hits)
      union all select * from (select row_id, name_length, ${rank} as rank
        ${scan(`is_settled or few or json_array_length(name_hits) >= ${most}`)}${containsWords(parameters, words)}
          and ${READABLE} ${best}))
    group by row_id ${best}`
  const near =
    `iif(json_array_length(matches) < ${Math.min(limit, ENOUGH_MATCHES)}, ` +
    `${nearWords(parameters, 'catalog', words)}, null)`
  return parameters.statement(`with
    prefix_hits as materialized (select catalog, ${prefixHits} as prefix_hits
      from (select ${searchedCatalog(parameters, question)} as catalog)),
    settled as materialized (select *, ${isSettled(parameters, words, most)} as is_settled from prefix_hits),
    ${hitsFor(parameters, 'settled', words, `is_settled or ${isTooMany}`)},
    names as materialized (select *, ${beginnings} as name_hits from hits),
    best_matches as materialized (select catalog, ${listOf(matches, 'json_array(row_id, rank)')} as matches from names),
    answers as materialized (select *, ${near} as near_words from best_matches)
    select iif(coalesce(key, 0) = 0, near_words, null) as near, record_id, is_active, updated_at,
      iif(key >= ${offset}, data, '') as data, value ->> 1 as rank, name_length, row_id
    from answers left join json_each(matches) on true left join records on row_id = value ->> 0
    order by key`)
}
