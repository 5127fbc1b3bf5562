import type { Query } from '#client/api'
import { keysOf } from '#shared/text/keys-of'

/** The API's names of list orders; `-` is descending. */
export type Sort = NonNullable<Query<'get', '/admin/datasets/v1/'>['sort']>

const NEWEST_FIRST: Sort = '-updated_at'

/** The default order: best match first, or the latest change first if there is no search. */
export const USUAL: Sort = 'match'

/** The parts of a list's state that determine its order. */
interface Ordered {
  q: string
  sort: Sort
}

/** The effective order of a list. */
export const shownSort = ({ q, sort }: Ordered): Sort => (sort === USUAL && q.trim() === '' ? NEWEST_FIRST : sort)

/** Whether a list has its default order. */
export const isUsual = ({ q, sort }: Ordered): boolean => shownSort({ q, sort }) === shownSort({ q, sort: USUAL })

/** The order as a query parameter. Without it, the API returns the latest changes first. */
export const sortQuery = (list: Ordered): { sort?: Sort } => {
  const sort = shownSort(list)
  return sort === NEWEST_FIRST ? {} : { sort }
}

/** In display order. */
const SORT_LABELS: Readonly<Record<Sort, string>> = {
  match: 'Best match',
  '-updated_at': 'Newest first',
  updated_at: 'Oldest first',
  name: 'Name A–Z',
  '-name': 'Name Z–A',
  id: 'ID ascending',
  '-id': 'ID descending',
}

const isSort = (text: string): text is Sort => Object.hasOwn(SORT_LABELS, text)

/** Parses an order from a URL or a choice; the default for an unknown name. */
export const sortNamed = (name: string | null): Sort => (name !== null && isSort(name) ? name : USUAL)

/** The available orders. Without a search there is no best match. */
export const sortChoices = ({ q }: Ordered): { value: Sort; label: string }[] =>
  keysOf(SORT_LABELS)
    .map((value) => ({ value, label: SORT_LABELS[value] }))
    .filter(({ value }) => value !== USUAL || q.trim() !== '')
