import { usePathname, useSearch } from 'wouter/use-browser-location'
import { MAX_QUERY_LENGTH } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { pageOf } from '../widgets/use-pages'
import { filtersIn, type ListFilters, NO_FILTERS, putFilters } from './filters'
import { isUsual, type Sort, sortIn, USUAL } from './sort'

export const PAGE_SIZES = [25, 50, 100] as const

/** Which part of a catalog is listed. */
export interface ListState extends ListFilters {
  q: string
  sort: Sort
  /** From 1. */
  page: number
  size: number
}

/** What the address names: the list, the form for a new record, or one record, to look at or to edit. */
type CatalogPlace = { is: 'list' } | { is: 'new' } | { is: 'record' | 'edit'; id: string }

interface CatalogAddress {
  place: CatalogPlace
  /** In the addresses of records too, so that the link back leads to the same part of the list. */
  list: ListState
}

function listStateOf(parameters: URLSearchParams): ListState {
  const size = Number(parameters.get('size'))
  return {
    q: [...(parameters.get('q') ?? '')].slice(0, MAX_QUERY_LENGTH).join(''),
    ...filtersIn(parameters),
    sort: sortIn(parameters),
    page: pageOf(parameters),
    size: PAGE_SIZES.find((choice) => choice === size) ?? PAGE_SIZES[0],
  }
}

/** The id in an address. One that somebody typed with a bare per cent sign is taken as it is. */
function idInAddress(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function placeOf(pathname: string, parameters: URLSearchParams): CatalogPlace {
  const [, , , , segment = '', action] = pathname.split('/')
  if (segment === '') return { is: parameters.has('new') ? 'new' : 'list' }
  return { is: action === 'edit' ? 'edit' : 'record', id: idInAddress(segment) }
}

/**
 * What the address names. The hooks of the router decode the address, so they cannot be used: ids and searches may hold
 * slashes and per cent signs.
 */
export function useCatalogAddress(): CatalogAddress {
  const pathname = usePathname()
  const parameters = new URLSearchParams(useSearch())
  return { place: placeOf(pathname, parameters), list: listStateOf(parameters) }
}

function withQuery(path: string, list: ListState, isNew = false): string {
  const { q, sort, page, size } = list
  const parameters = new URLSearchParams()
  if (isNew) parameters.set('new', '1')
  if (q !== '') parameters.set('q', q)
  putFilters(parameters, list)
  if (!isUsual(list)) parameters.set('sort', sort)
  if (page > 1) parameters.set('page', String(page))
  if (size !== PAGE_SIZES[0]) parameters.set('size', String(size))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

export const listAddress = ({ name }: RecordType, list: ListState): string => withQuery(`/${name}/catalog`, list)

export const newRecordAddress = ({ name }: RecordType, list: ListState): string =>
  withQuery(`/${name}/catalog`, list, true)

export const recordAddress = ({ name }: RecordType, id: string, list: ListState): string =>
  withQuery(`/${name}/catalog/${encodeURIComponent(id)}`, list)

export const editAddress = ({ name }: RecordType, id: string, list: ListState): string =>
  withQuery(`/${name}/catalog/${encodeURIComponent(id)}/edit`, list)

/** The list without a search or filters, to which the page of a record leads back that was found elsewhere. */
export const WHOLE_LIST: ListState = {
  q: '',
  ...NO_FILTERS,
  sort: USUAL,
  page: 1,
  size: PAGE_SIZES[0],
}
