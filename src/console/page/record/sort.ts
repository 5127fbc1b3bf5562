import type { Query } from '#client/api'

/** Orders of a list as the API names them; `-` is the other way round. */
export type Sort = NonNullable<Query<'get', '/admin/datasets/v1/'>['sort']>

export type SortKey = 'updated_at' | 'name' | 'id'

export const NEWEST_FIRST: Sort = '-updated_at'

/** In the order of the choice. */
export const SORT_LABELS: Readonly<Record<Sort, string>> = {
  '-updated_at': 'Last changed first',
  updated_at: 'First changed first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  id: 'Id, ascending',
  '-id': 'Id, descending',
}

const isSort = (text: string): text is Sort => Object.hasOwn(SORT_LABELS, text)

export function sortIn(parameters: URLSearchParams): Sort {
  const sort = parameters.get('sort') ?? ''
  return isSort(sort) ? sort : NEWEST_FIRST
}

/** Which way a list goes that is sorted by a key; undefined if it is sorted by another one. */
export const directionOf = (sort: Sort, key: SortKey): 'ascending' | 'descending' | undefined =>
  sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined

/** The order when somebody asks for a key: the other way round for the one that there is; times begin with the latest. */
export function sortBy(key: SortKey, sort: Sort): Sort {
  const direction = directionOf(sort, key)
  if (direction === undefined) return key === 'updated_at' ? NEWEST_FIRST : key
  return direction === 'ascending' ? `-${key}` : key
}
