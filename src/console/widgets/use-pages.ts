import { keepPreviousData, type QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { ServiceClient } from '#client/client'
import { useRead } from '../queries'

/** The page number in a URL's query, from 1. */
export function pageOf(parameters: URLSearchParams): number {
  const page = parameters.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

interface Range {
  limit: number
  offset: number
}

const PAGE_SIZE = 25

export interface PagesOptions<Answer> {
  queryKey: QueryKey
  /** The URL of the first page. The page number is appended to it. */
  address: string
  read: (client: ServiceClient, range: Range, signal: AbortSignal) => Promise<Answer>
}

/** The page of a list for the URL, or the last page if it does not exist. While it loads, the previous page. */
export function usePages<Answer extends { total: number }>({ queryKey, address, read }: PagesOptions<Answer>) {
  const [, navigate] = useLocation()
  const page = pageOf(new URLSearchParams(useSearch()))
  const onPage = (next: number, options?: { replace: boolean }) =>
    navigate(next > 1 ? `${address}${address.includes('?') ? '&' : '?'}page=${next}` : address, options)
  const range = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
  const answer = useRead([...queryKey, { page }], (client, signal) => read(client, range, signal), {
    placeholderData: keepPreviousData,
  })
  const lastPage = Math.max(1, Math.ceil((answer.data?.total ?? 0) / PAGE_SIZE))
  const isBeyondEnd = answer.data !== undefined && !answer.isPlaceholderData && page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each list without that page.
  useEffect(() => {
    if (isBeyondEnd) onPage(lastPage, { replace: true })
  }, [isBeyondEnd, lastPage])
  return { pager: { page, size: PAGE_SIZE, onPage }, answer }
}
