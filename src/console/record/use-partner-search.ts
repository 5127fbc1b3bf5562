import type { UseQueryOptions } from '@tanstack/react-query'
import { DEFAULT_SEARCH_RESULTS } from '#shared/limits'
import type { RecordType } from '#shared/records/record-type'
import { useRead } from '../queries'
import type { SearchResult, SearchSource } from '../service/answers'

/**
 * Searches as partners do. Does nothing for a blank text.
 *
 * @param source omitted to use the current source of partners
 */
export const usePartnerSearch = (
  { name: type }: RecordType,
  q: string,
  source: SearchSource | undefined,
  options?: Pick<UseQueryOptions<SearchResult>, 'placeholderData'>,
) =>
  useRead(
    ['partner-search', type, source, q],
    (client, signal) =>
      client.get('/medical-db/v1/search/', { query: { type, q, limit: DEFAULT_SEARCH_RESULTS, source }, signal }),
    { ...options, enabled: q.trim() !== '' },
  )
