import { OTHER_PART } from '#shared/records/search/search-text'
import { foldedWords } from '#shared/text/fold'
import {
  type Activity,
  countOf,
  fragmentQuery,
  fullTextQuery,
  queryIn,
  rowIdsOf,
  type Token,
} from '#worker/search/index/word-index'
import type { CatalogKey } from '#worker/storage/catalog-key'
import type { Parameters } from '#worker/storage/database'
import { codesOf, codeTokens } from './codes'
import { readNeeds, tokensOf } from './needs'
import { isBegun, penaltyOf, RANKS, rankOf } from './statement'

/** How a list finds records by `q` (docs/contract.md#reading): SQL fragments with numbered parameters. */

/** Expression for the ID of a catalog; null if the workspace has none. */
const catalogIn = (parameters: Parameters, { workspaceId, type }: CatalogKey): string =>
  `(select catalog_id from catalogs where workspace_id = ${parameters.of(workspaceId)}
    and type = ${parameters.of(type)})`

/** The distinct words, longest first. */
const byLength = (words: readonly string[]): string[] => [...new Set(words)].sort((a, b) => b.length - a.length)

/** Words bound individually. The others are bound as one value: D1 allows a hundred values. */
const SINGLE_WORDS = 3

/** Condition on `records`: names, aliases or added names match. @param on column that starts with them */
const inNames = (on: (column: string) => string): string =>
  `(${on('search_text')} or (added_names <> '' and ${on('added_names')}))`

/** D1 accepts patterns of 50 bytes. */
const PATTERN_CHARACTERS = 11

/** Condition on `records`: a name, an alias or an added name contains this word. `glob` is faster than `instr`. */
const isInNames = (parameters: Parameters, word: string): string =>
  [...word].length <= PATTERN_CHARACTERS
    ? inNames((column) => `${column} glob ${parameters.of(`*${word}*${OTHER_PART}*`)}`)
    : standsInNames(parameters.of(word))

const standsInNames = (text: string): string =>
  inNames((column) => `instr(${column}, ${text}) between 1 and instr(${column}, char(${OTHER_PART.charCodeAt(0)}))`)

/** Condition on `search_text`: a name or an alias contains each word. @param words folded, at least one */
export function namesHold(parameters: Parameters, words: readonly string[]): string {
  const different = byLength(words)
  const conditions = different.slice(0, SINGLE_WORDS).map((word) => isInNames(parameters, word))
  const others = different.slice(SINGLE_WORDS)
  if (others.length > 0) {
    const list = parameters.of(JSON.stringify(others))
    conditions.push(`not exists (select 1 from json_each(${list}) where not (${standsInNames('value')}))`)
  }
  return conditions.join(' and ')
}

/** Up to this many matches are looked up individually. Beyond, the list is scanned in its order. */
const FEW_RECORDS = 1500

/** Parts of a statement that finds the records whose names or aliases contain all words. */
interface NameMatches {
  /** Common table expressions for the other parts. */
  tables: string
  /** Expression for the number of matches. */
  total: string
  /** Queries for `row_id`, `written_at` and `position`. At most one of the two kinds returns rows. */
  few: string
  /** One query per state, each in the order of `records_list`, so that a page reads no more than it needs. */
  walks: readonly string[]
}

/**
 * Finds records whose names or aliases contain all words, by the catalog's words that contain them. Reads texts only as
 * far as the page needs. It reads all of them if too many words contain one of the given words, or if there are more
 * than three.
 *
 * @param words folded, at least one
 * @param condition condition on `records`, for a row of the list's index; null for none
 */
export function matchesInNames(
  parameters: Parameters,
  catalogKey: CatalogKey,
  words: readonly string[],
  activity: Activity,
  condition: string | null,
): NameMatches {
  const single = byLength(words).slice(0, SINGLE_WORDS)
  const hasOthers = byLength(words).length > SINGLE_WORDS
  const fragments = single.map((word, n) => `${fragmentQuery(parameters, 'catalog', word, activity)} as fragment_${n}`)
  const both = single.map((_, n) => `coalesce(' AND (' || fragment_${n} || ')', '')`).join(' || ')
  const isUnknown = single.map((_, n) => `fragment_${n} is null`).join(' or ')
  const states = { active: [1], inactive: [0], all: [0, 1] }[activity]
  const texts = namesHold(parameters, words)
  const and = condition === null ? '' : `and ${condition}`
  const columns = 'row_id, written_at, position'
  const walks = states.map(
    (state) => `select ${columns} from records indexed by records_list
      where catalog_id = (select iif(few, -1, catalog) from hit_count) and is_active = ${state} ${and} and ${texts}`,
  )
  const counted = `(select count(*) from (${walks.join(' union all ')}))`
  const query = '(select query from full_text)'
  return {
    tables: `fragments as materialized (select catalog, ${fragments.join(', ')}
        from (select ${catalogIn(parameters, catalogKey)} as catalog)),
      full_text as materialized (select catalog, nullif(substr(${both}, length(' AND ') + 1), '') as query,
        ${hasOthers ? 'true' : isUnknown} as reads_texts from fragments),
      hits as materialized (${rowIdsOf(query, FEW_RECORDS + 1)}),
      hit_count as materialized (select query is not null and (select count(*) from hits) <= ${FEW_RECORDS} as few,
        reads_texts, catalog from full_text),
      few_matches as materialized (select ${columns} from records
        where row_id in (select row_id from hits where (select few from hit_count))
          and +catalog_id = (select catalog from hit_count) and +is_active in (${states.join(', ')}) ${and}
          and (not (select reads_texts from hit_count) or (${texts})))`,
    total: `case when (select few from hit_count) then (select count(*) from few_matches)
      when ${condition === null ? 'not (select reads_texts from hit_count)' : 'false'} then (${countOf(query)})
      else ${counted} end`,
    few: `select ${columns} from few_matches`,
    walks,
  }
}

/** Parts of a statement that finds words in everything that partner search reads (`match=all`). */
interface Everywhere {
  /** Condition on `records`: a name or an alias contains each word, or the record matches as in partner search. */
  condition: string
  /** Sort keys of the matches, best first. Among equals, shorter names come first. */
  sortKey: string
}

/** Needs bound individually, because a statement has at most a hundred values. The others must match together. */
const SINGLE_NEEDS = 8

/** Factor between sort keys: more than the largest rank with its penalty. */
const KEYS = { begun: 100_000, rank: 1000, unmet: 1_000_000 } as const

/** @param q text with at least one word */
export function matchEverywhere(
  parameters: Parameters,
  catalogKey: CatalogKey,
  q: string,
  activity: Activity,
): Everywhere {
  const needs = readNeeds(catalogKey.type, foldedWords(q))
  const catalog = catalogIn(parameters, catalogKey)
  const has = (tokens: readonly (readonly Token[])[]): string =>
    `row_id in (${rowIdsOf(queryIn(parameters, fullTextQuery(tokens, activity), catalog), -1)})`
  const rest = needs.slice(SINGLE_NEEDS)
  const groups = [...needs.slice(0, SINGLE_NEEDS).map((need) => [need]), ...(rest.length > 0 ? [rest] : [])]
  const meets = groups.map((group) => has(tokensOf(group)))
  const codes = codeTokens(codesOf(q)).map(({ tokens, isWhole }) => ({
    rank: isWhole ? RANKS.code : RANKS.codeStart,
    isMet: has([tokens]),
  }))
  const conditions = groups.map(
    (group, n) =>
      `(${meets[n]} or (${namesHold(
        parameters,
        group.flatMap(({ words }) => words),
      )}))`,
  )
  return {
    condition: `(${[`(${conditions.join(' and ')})`, ...codes.map(({ isMet }) => isMet)].join(' or ')})`,
    sortKey: `case ${codes.map(({ rank, isMet }) => `when ${isMet} then ${rank * KEYS.rank}`).join(' ')}
      when ${meets.join(' and ')} then ${KEYS.begun} * (${isBegun(parameters, needs)})
        + ${KEYS.rank} * ${rankOf(parameters, needs)} + ${penaltyOf(parameters, needs)}
      else ${KEYS.unmet} end`,
  }
}
