import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { fieldFiltersIn } from '#shared/records/filters'
import { foldedWords } from '#shared/text/fold'
import { namesHold } from '#worker/search/query/record-match'
import { int, Parameters } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/list-page'
import type { recordsQuerySchema } from './queries'

/** A page without a search is cheap if it has at most so many records, and none of them is further from the start. */
const CHEAP_PAGE_RECORDS = 100
export const CHEAP_LIST_RECORDS = 10_100

export type States = 'active' | 'inactive' | 'all'

/** Which records of a catalog are listed or exported, and in which order: the parameters of the query. */
export type ListFilter = Omit<z.output<typeof recordsQuerySchema>, 'type' | 'limit' | 'offset' | 'format' | 'safe'>

export function statesOf({ active, show_inactive }: ListFilter): States {
  if (active !== undefined) return active ? 'active' : 'inactive'
  return show_inactive === '1' ? 'all' : 'active'
}

const STATES: Readonly<Record<States, SQL>> = {
  active: sql`is_active = 1`,
  inactive: sql`is_active = 0`,
  all: sql`is_active in (0, 1)`,
}

export const inStates = (states: States): SQL => STATES[states]

/** What the conditions on a record are made of. Words: of `q`, folded. */
interface ConditionParts {
  filter: ListFilter
  words: readonly string[]
}

/** The conditions that a record must meet, as far as the indexes of the list know them. */
export const isMatch = (catalog: SQL, parts: ConditionParts, states: SQL = inStates(statesOf(parts.filter))): SQL =>
  sql`catalog_id = ${catalog} and ${states}${changedSince(parts.filter)}${holdingWords(parts.words)}`

const changedSince = ({ updated_since }: ListFilter): SQL =>
  updated_since === undefined ? sql.empty() : sql` and written_at > ${int(updated_since)}`

function holdingWords(words: readonly string[]): SQL {
  if (words.length === 0) return sql.empty()
  const parameters = new Parameters()
  return parameters.sql(` and ${namesHold(parameters, words)}`)
}

/** Whether the words of `q` are looked for beyond the names. */
export const asksEverywhere = ({ q, match }: ListFilter): boolean => match === 'all' && foldedWords(q).length > 0

/** The order of a list. The best match comes first only if something is looked for. */
export const sortOf = ({ sort = '-updated_at', q }: ListFilter) =>
  sort === 'match' && foldedWords(q).length === 0 ? '-updated_at' : sort

/** Whether `q` has no letter, no digit and no `%`: then it matches nothing. A blank one is no search. */
export const findsNothing = ({ q }: ListFilter): boolean => q.trim() !== '' && foldedWords(q).length === 0

/** Whether the filter asks for values that no index has, or for their order: the whole catalog is read then. */
export const needsScan = (filter: ListFilter): boolean =>
  findsNothing(filter) ||
  asksEverywhere(filter) ||
  fieldFiltersIn(filter).length > 0 ||
  !sortOf(filter).endsWith('updated_at')

/** Whether a page takes a few rows of an index and no more. */
export const isCheapPage = (filter: ListFilter, { limit, offset }: PageRequest): boolean =>
  !needsScan(filter) &&
  filter.q.trim() === '' &&
  filter.updated_since === undefined &&
  limit <= CHEAP_PAGE_RECORDS &&
  offset + limit <= CHEAP_LIST_RECORDS
