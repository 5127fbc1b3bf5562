import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'

/** The page that the query of an address names, from 1. */
export function pageOf(parameters: URLSearchParams): number {
  const page = parameters.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

interface Range {
  limit: number
  offset: number
}

interface PagesOptions<Answer> {
  /** The key of the whole list. */
  queryKey: QueryKey
  /** The page that the address names, from 1. */
  page: number
  size: number
  read: (range: Range, signal: AbortSignal) => Promise<Answer>
  /** Shows another page. */
  onPage: (page: number, options: { replace: boolean }) => void
}

/** One page of a list; while it loads, the page before. If the address names a page behind the last, shows the last. */
export function usePages<Answer extends { total: number }>({
  queryKey,
  page,
  size,
  read,
  onPage,
}: PagesOptions<Answer>) {
  const answer = useQuery({
    queryKey: [...queryKey, { page, size }],
    queryFn: ({ signal }) => read({ limit: size, offset: (page - 1) * size }, signal),
    placeholderData: keepPreviousData,
  })
  const lastPage = Math.max(1, Math.ceil((answer.data?.total ?? 0) / size))
  const isBeyondEnd = answer.data !== undefined && !answer.isPlaceholderData && page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that has no such page.
  useEffect(() => {
    if (isBeyondEnd) onPage(lastPage, { replace: true })
  }, [isBeyondEnd, lastPage])
  return answer
}

const PAGE_SIZE = 25

export interface AddressedPagesOptions<Answer> extends Pick<PagesOptions<Answer>, 'queryKey' | 'read'> {
  /** The address of the first page. */
  address: string
}

/** As `usePages`, with the number of the page at the end of the address. */
export function useAddressedPages<Answer extends { total: number }>({
  address,
  ...list
}: AddressedPagesOptions<Answer>) {
  const [, navigate] = useLocation()
  const pager = {
    page: pageOf(new URLSearchParams(useSearch())),
    size: PAGE_SIZE,
    onPage: (page: number, options?: { replace: boolean }) =>
      navigate(page > 1 ? `${address}${address.includes('?') ? '&' : '?'}page=${page}` : address, options),
  }
  return { pager, answer: usePages({ ...list, ...pager }) }
}
