import { type SQL, sql } from 'drizzle-orm'
import { wordsOf } from '#records/search-text'
import { containing } from '#search/candidates'
import { int } from '#storage/database'

/** Orders of a list; `-` is the other way round. Without one a list is newest first, `-updated_at`. */
export const SORTS = ['updated_at', '-updated_at', 'name', '-name', 'id', '-id'] as const
export type Sort = (typeof SORTS)[number]

export type States = 'active' | 'inactive' | 'all'

/** Which records of a catalog are listed or exported, and in which order. */
export interface ListFilter {
  /** Free text; blank means absent. */
  q: string
  /** Whether `q` is looked for in the id, the codes and the manufacturer too. */
  everywhere: boolean
  states: States
  /** Milliseconds since the epoch: only records changed later. */
  updatedSince: number | null
  /** Only lab tests of this kind. */
  kind: string | null
  /** Only medications of this accepted drug form. */
  formId: string | null
  /** Only medications that are linked to a drug form, or only those that are not. */
  linked: boolean | null
  /** Null for the default: newest first in a list, the order of the first writing in an export. */
  sort: Sort | null
}

const STATES: Readonly<Record<States, SQL>> = {
  active: sql`is_active = 1`,
  inactive: sql`is_active = 0`,
  all: sql`is_active in (0, 1)`,
}

export const inStates = (states: States): SQL => STATES[states]

/** The conditions that a record must meet, as far as the indexes of the list know them. */
export const matching = (
  catalog: SQL,
  filter: Pick<ListFilter, 'states' | 'updatedSince'>,
  words: readonly string[],
  states: SQL = inStates(filter.states),
): SQL => sql`catalog_id = ${catalog} and ${states}${changedSince(filter)}${containing(words)}`

const changedSince = ({ updatedSince }: Pick<ListFilter, 'updatedSince'>): SQL =>
  updatedSince === null ? sql.empty() : sql` and updated_at > ${int(updatedSince)}`

/** Whether the words of `q` are looked for beyond the names. */
export const asksEverywhere = ({ q, everywhere }: ListFilter): boolean => everywhere && wordsOf(q).length > 0

/** Whether the filter asks for values that no index has, or for their order: the whole catalog is read then. */
export const needsScan = (filter: ListFilter): boolean =>
  asksEverywhere(filter) ||
  filter.kind !== null ||
  filter.formId !== null ||
  filter.linked !== null ||
  (filter.sort !== null && !filter.sort.endsWith('updated_at'))

/** Whether a page takes a few rows of an index and no more. */
export const isCheap = (filter: ListFilter): boolean =>
  !needsScan(filter) && filter.q.trim() === '' && filter.updatedSince === null
