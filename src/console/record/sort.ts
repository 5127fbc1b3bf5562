import type { Query } from '#client/api'
import { keysOf } from '#shared/text/keys-of'

/** Orders of a list as the API names them; `-` is descending. */
export type Sort = NonNullable<Query<'get', '/admin/datasets/v1/'>['sort']>

const NEWEST_FIRST: Sort = '-updated_at'

/** The usual order: the best match first; what was changed last if nothing is searched for. */
export const USUAL: Sort = 'match'

/** The parts of a list's state on which its order depends. */
interface Ordered {
  q: string
  sort: Sort
}

/** The order of a list as people see it. */
export const shownSort = ({ q, sort }: Ordered): Sort => (sort === USUAL && q.trim() === '' ? NEWEST_FIRST : sort)

/** Whether a list has its usual order. */
export const isUsual = ({ q, sort }: Ordered): boolean => shownSort({ q, sort }) === shownSort({ q, sort: USUAL })

/** The order as the API takes it. Without one, it gives the newest first. */
export const sortQuery = (list: Ordered): { sort?: Sort } => {
  const sort = shownSort(list)
  return sort === NEWEST_FIRST ? {} : { sort }
}

/** In the order of the choice. */
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

/** The order that an address or a choice names; the usual one for an unknown name. */
export const sortNamed = (name: string | null): Sort => (name !== null && isSort(name) ? name : USUAL)

/** The orders to choose from. Without a search there is no best match. */
export const sortChoices = ({ q }: Ordered): { value: Sort; label: string }[] =>
  keysOf(SORT_LABELS)
    .map((value) => ({ value, label: SORT_LABELS[value] }))
    .filter(({ value }) => value !== USUAL || q.trim() !== '')
