import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
import { searchQuery, searchResult } from './schemas'

export const searchEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/medical-db/v1/search/',
    operationId: 'searchMedicalDatabase',
    tag: 'Partner search',
    summary: 'Search as somebody types, best match first',
    description:
      "Searches the workspace's own active records where the switch of the type is on, else the provider's medical " +
      'database. First names, display names and aliases that equal `q`, then those that start with it, then those with ' +
      'a word that starts with it, then any other match; shorter names first.',
    access: 'search',
    partnerToken: true,
    query: searchQuery,
    response: enveloped(searchResult),
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'rate_limited'],
  },
]
