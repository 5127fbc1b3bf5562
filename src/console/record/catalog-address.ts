import { useSearch } from 'wouter/use-browser-location'
import { MAX_QUERY_LENGTH } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { addressOf } from '../routes'
import { pageOf } from '../widgets/use-pages'
import { filtersIn, type ListFilters, NO_FILTERS, putFilters } from './filters'
import { isUsual, type Sort, sortNamed, USUAL } from './sort'

/** The part of a catalog to list. */
export interface ListState extends ListFilters {
  q: string
  sort: Sort
  page: number
}

function listStateOf(parameters: URLSearchParams): ListState {
  return {
    q: [...(parameters.get('q') ?? '')].slice(0, MAX_QUERY_LENGTH).join(''),
    ...filtersIn(parameters),
    sort: sortNamed(parameters.get('sort')),
    page: pageOf(parameters),
  }
}

/** The list state in the URL. URLs of records contain it, too, for the link back. */
export const useListState = (): ListState => listStateOf(new URLSearchParams(useSearch()))

function withQuery(path: string, list: ListState, isNew = false): string {
  const { q, sort, page } = list
  const parameters = new URLSearchParams()
  if (isNew) parameters.set('new', '1')
  if (q !== '') parameters.set('q', q)
  putFilters(parameters, list)
  if (!isUsual(list)) parameters.set('sort', sort)
  if (page > 1) parameters.set('page', String(page))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

export const listAddress = (type: RecordType, list: ListState): string => withQuery(addressOf('list', type), list)

export const newRecordAddress = (type: RecordType, list: ListState): string =>
  withQuery(addressOf('list', type), list, true)

export const recordAddress = (type: RecordType, id: string, list: ListState): string =>
  withQuery(addressOf('record', type, id), list)

export const editAddress = (type: RecordType, id: string, list: ListState): string =>
  withQuery(addressOf('edit', type, id), list)

/** The list without a search or filters, for the link back from a record that was found elsewhere. */
export const WHOLE_LIST: ListState = {
  q: '',
  ...NO_FILTERS,
  sort: USUAL,
  page: 1,
}
