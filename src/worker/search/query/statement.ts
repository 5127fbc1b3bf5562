import { MAX_SEARCH_MATCHES } from '#shared/limits'
import type { RecordTypeName } from '#shared/records/record-type'
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
import type { RecordRow } from '#shared/records/stored-form'
import { fullTextQuery, PLACES, queryIn, rowIdsOf, SEARCHED_TEXT, type Token } from '#worker/search/index/word-index'
import type { Source } from '#worker/search/schemas'
import { Parameters, type Statement } from '#worker/storage/database'
import { codeTokens, type QueryCodes } from './codes'
import { correctableOf, nearWords } from './near-words'
import { type Need, nameWordsOf, tokensOf } from './needs'

/** Ranks of matches: the lower rank comes first (docs/contract.md#ranking). */
export const RANKS = {
  /** An ID or a code equals the query. */
  code: 0,
  /** A name equals the query, or begins with it. */
  nameLine: 1,
  nameStart: 2,
  codeStart: 3,
  /** Also for a generic name or a term. */
  aliasLine: 4,
  aliasStart: 5,
  /** Other words of a name are in the order of the query. */
  nameWord: 6,
  aliasWord: 7,
  /** Words in another order: each is the beginning of a word of a name, or of another field. */
  inNames: 8,
  other: 9,
} as const

/** Among equal ranks, the smallest penalty comes first, then the shortest name. */
const BEST_FIRST = 'is_begun, rank, penalty, name_length, row_id'

/** Condition: the search text is short enough to compare, like those of real records. Others rank last. */
const READABLE = 'octet_length(search_text) <= 20000'

/** Rank by the best place in which the search text contains the words next to each other. */
function placeRank(parameters: Parameters, words: readonly string[]): string {
  const texts = queryTexts(words)
  const holds = (place: keyof typeof texts) => `instr(search_text, ${parameters.of(texts[place])}) > 0`
  // A text that contains a line also contains its beginning, so most texts need four comparisons instead of six.
  return `case when ${holds('nameStart')} then iif(${holds('nameLine')}, ${RANKS.nameLine}, ${RANKS.nameStart})
    when ${holds('aliasStart')} then iif(${holds('aliasLine')}, ${RANKS.aliasLine}, ${RANKS.aliasStart})
    when ${holds('nameWord')} then ${RANKS.nameWord} when ${holds('aliasWord')} then ${RANKS.aliasWord}
    else ${RANKS.other} end`
}

/** Condition: every word of a JSON list is the beginning of a word of a name. */
function beginNameWords(parameters: Parameters, words: readonly string[]): string {
  const list = parameters.of(JSON.stringify(words))
  const isMissing = [NAME_LINE_BREAK, NAME_SPACE].map(
    (separator) => `instr(search_text, char(${separator.charCodeAt(0)}) || value) = 0`,
  )
  return `not exists (select 1 from json_each(${list}) where ${isMissing.join(' and ')})`
}

/** Readings of a query: all words; only those that name something; and these replaced by their other names. */
function phrasesOf(needs: readonly Need[]): string[][] {
  const names = nameWordsOf(needs)
  const otherNames = needs.flatMap(({ kind, words, otherName }) =>
    kind === 'word' ? (otherName === null ? words : [otherName]) : [],
  )
  const phrases = [needs.flatMap(({ words }) => words), names, otherNames]
  return [...new Map(phrases.filter(({ length }) => length > 0).map((words) => [words.join(' '), words])).values()]
}

/** Expression for the rank of a row of `records` that matches all needs. */
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

/** Condition: the search text contains the whole word. */
const holdsWord = (parameters: Parameters, word: string): string =>
  `search_text glob ${parameters.of(`*[${WORD_BREAKS}]${word}[${WORD_BREAKS}\f]*`)}`

/** Condition: the search text contains the whole fact. */
const holdsFact = (parameters: Parameters, fact: string): string =>
  `instr(search_text, ${parameters.of(FACT_BREAK + fact + FACT_BREAK)}) > 0`

/** Expression for the penalty: how many numbers, forms and release types match by meaning only (1 g for 1000 mg). */
export function penaltyOf(parameters: Parameters, needs: readonly Need[]): string {
  const penalties = needs.flatMap(({ kind, words, fact }) => {
    if (kind === 'number' || kind === 'release') return [`not (${holdsWord(parameters, words[0] ?? '')})`]
    return kind === 'form' && fact !== null ? [`not (${holdsFact(parameters, fact)})`] : []
  })
  const hasForm = needs.some(({ kind }) => kind === 'form')
  const hasRelease = needs.some(({ kind }) => kind === 'release')
  // Without a release type in the query, plain forms come first.
  const releases = hasForm && !hasRelease ? [`instr(search_text, ${parameters.of(FACT_BREAK + RELEASE_MARK)}) > 0`] : []
  return [...penalties, ...releases].map((penalty) => `(${penalty})`).join(' + ') || '0'
}

/** Expression: whether the number at the end of the query is only the beginning of a number in the row. */
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

/** The reserved workspace whose catalog is the provider's medical database (docs/contract.md#partner-search). */
export const PROVIDER_WORKSPACE = 'provider'

/** When fewer records than this match, approximate matches follow. */
export const ENOUGH_MATCHES = 5

/** Most records that a search compares. If more match, further lists provide the best ones. */
const COMPARED_RECORDS = 1000

/** Records of each further list: names that begin with the first word, and names that begin with it as a whole word. */
const FURTHER_RECORDS = 400

export interface FoundRecord extends RecordRow {
  /** 1 if a number of the query is only the beginning of a number of the record. */
  is_begun: number
  row_id: number
}

/** A row of `searchStatement`. Without matches, there is one row without a record. */
export type SearchRow = (FoundRecord | { row_id: null }) & {
  /** JSON list of `NearWord` in the first row if there are too few matches. */
  near: string | null
}

export interface SearchQuestion {
  needs: readonly Need[]
  /** The whole query read as a code. */
  codes: QueryCodes
  /** Whether to look for similar words if there are too few matches. */
  asksNearWords: boolean
  /** Number of matches on earlier pages. Returned without data, because records can be large. */
  offset: number
  /** Number of matches on this page and before: 1 to 500. */
  limit: number
  type: RecordTypeName
  workspaceId: string
  /** Null if the workspace's setting decides. */
  source: Source | null
  /** The epoch of a catalog with cached matches, which is not searched again. */
  knownEpoch: string
}

/** Expression for whose catalog to search, from the workspace's setting in the database. */
function searchedWorkspace(
  parameters: Parameters,
  { workspaceId, type, source }: Pick<SearchQuestion, 'workspaceId' | 'type' | 'source'>,
): string {
  const own = parameters.of(workspaceId)
  const provider = parameters.of(PROVIDER_WORKSPACE)
  if (source !== null) return source === 'workspace' ? own : provider
  return `iif((select search_enabled from catalogs where workspace_id = ${own} and type = ${parameters.of(type)}) = 1,
    ${own}, ${provider})`
}

/** Expression for the ID of the catalog to search; null if there is none. */
const searchedCatalog = (parameters: Parameters, question: SearchQuestion): string =>
  `(select catalog_id from catalogs where workspace_id = ${searchedWorkspace(parameters, question)}
    and type = ${parameters.of(question.type)} and revision > 0 and epoch <> ${parameters.of(question.knownEpoch)})`

/** Query for the records with these tokens. @param unless condition under which to look up none */
function hits(parameters: Parameters, needs: readonly (readonly Token[])[], limit: number, unless = 'false'): string {
  const query = queryIn(parameters, fullTextQuery(needs, 'active'), '(select catalog from searched)')
  return `select row_id from (${rowIdsOf(`iif(${unless}, null, ${query})`, limit)})`
}

/** Rank of a record without a matching code. */
const NO_CODE = 99

/** Candidates: by code, by words (`NO_CODE`) and, if there are too many, by names that begin with the first word. */
function candidatesOf(parameters: Parameters, { needs, codes }: SearchQuestion): string {
  const lists = [`select row_id, ${NO_CODE} as code_rank from hits`]
  const [first] = nameWordsOf(needs)
  if (first !== undefined) {
    const few = `(select count(*) from hits) <= ${COMPARED_RECORDS}`
    for (const isWhole of [true, false]) {
      const nameStart = [{ place: PLACES.nameStart, text: first, isWhole }]
      lists.push(
        `select *, ${NO_CODE} from (${hits(parameters, [nameStart, ...tokensOf(needs)], FURTHER_RECORDS, few)})`,
      )
    }
  }
  for (const { tokens, isWhole } of codeTokens(codes)) {
    const rank = isWhole ? RANKS.code : RANKS.codeStart
    lists.push(`select *, ${rank} from (${hits(parameters, [tokens], MAX_SEARCH_MATCHES)})`)
  }
  return lists.join(' union all ')
}

/** Tokens for a query of a single letter: only first words of names, because very many words begin with it. */
const oneLetterTokens = (needs: readonly Need[]): readonly (readonly Token[])[] => {
  const [need] = needs
  return needs.length === 1 && need?.kind === 'word' && [...(need.words[0] ?? '')].length === 1
    ? [need.tokens.filter(({ place }) => place === PLACES.nameStart)]
    : tokensOf(needs)
}

/** The best matches of a query, typed or corrected and, if there are too few, similar words. */
export function searchStatement(question: SearchQuestion): Statement<SearchRow> {
  const { needs, limit, offset, asksNearWords } = question
  const parameters = new Parameters()
  const catalog = searchedCatalog(parameters, question)
  const found = hits(parameters, oneLetterTokens(needs), COMPARED_RECORDS + 1)
  const byWords = `code_rank = ${NO_CODE}`
  const near = asksNearWords
    ? `iif((select count(*) from best_matches) < ${Math.min(limit, ENOUGH_MATCHES)},
        ${nearWords(parameters, 'catalog', correctableOf(needs))}, null)`
    : 'null'
  return parameters.statement(`with
    searched as materialized (select ${catalog} as catalog),
    hits as materialized (${found}),
    candidates as materialized (select row_id, min(code_rank) as code_rank, max(${byWords}) as has_words
      from (${candidatesOf(parameters, question)}) group by row_id),
    best_matches as materialized (select row_id, name_length,
        iif(${byWords}, ${isBegun(parameters, needs)}, 0) as is_begun,
        min(code_rank, iif(has_words, ${rankOf(parameters, needs)}, ${NO_CODE})) as rank,
        iif(has_words, ${penaltyOf(parameters, needs)}, 0) as penalty
      from (select row_id, code_rank, has_words, name_length, ${SEARCHED_TEXT} as search_text
        from candidates cross join records using (row_id)
        where records.catalog_id = (select catalog from searched) and +is_active = 1 limit -1)
      order by ${BEST_FIRST} limit ${limit}),
    numbered as materialized (select *, row_number() over (order by ${BEST_FIRST}) - 1 as n from best_matches)
    select iif(coalesce(n, 0) = 0, ${near}, null) as near, record_id, is_active, written_at,
      iif(n >= ${offset}, data, '') as data, added_names, is_begun, row_id
    from searched left join numbered on true left join records using (row_id)
    order by n`)
}
