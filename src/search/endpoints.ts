import { createMiddleware } from 'hono/factory'
import { scopeOrPartnerToken } from '#auth/access'
import { ApiError } from '#errors/errors'
import type { AppEnv } from '#http/context'
import { controlDatabaseOf, nearestCatalogOf } from '#http/databases'
import { enveloped } from '#http/endpoint/answers'
import { endpoint } from '#http/endpoint/endpoint'
import { bookmarkHeader } from '#http/endpoint/parameters'
import { expensiveRead } from '#http/sharing/expensive-reads'
import { recordTypes } from '#records/record-types'
import { returnedForm } from '#records/stored-form'
import { PROVIDER_WORKSPACE, providerDatabaseBinding } from '#search/query/provider'
import { partnerSearch } from '#search/query/search'
import { searchQuery, searchResult } from './schemas'

/** @throws ApiError 403 when a partner chooses the catalog: for partners the switch decides */
const refusePartnersChoice = createMiddleware<AppEnv>(async (c, next) => {
  if (c.var.caller.partner !== undefined && c.req.query('source') !== undefined)
    throw new ApiError('forbidden', 'Partners cannot choose a source. Leave out the parameter source.')
  await next()
})

const anybodyWhoSearches = scopeOrPartnerToken('search')

const searchMedicalDatabase = endpoint(
  {
    method: 'get',
    path: '/medical-db/v1/search/',
    operationId: 'searchMedicalDatabase',
    tag: 'Partner search',
    summary: 'Search the medical database while a person types',
    description:
      "Searches the workspace's own active records if the search switch of the type is on, else the provider's " +
      'medical database. First come records with a name or display name that equals `q`, then one that starts with it, ' +
      'then an alias that equals it, then one that starts with it, then a word of a name that starts with it, then a ' +
      'word of an alias that does, then any other match. Shorter names come first among equals. When fewer than five ' +
      'records match, records follow that match with one letter wrong, missing, added or swapped in a word of five ' +
      'letters or more, or two in a word of nine or more. `approximate` counts them.',
    access: {
      ...anybodyWhoSearches,
      middlewares: [...anybodyWhoSearches.middlewares, refusePartnersChoice],
    },
    query: searchQuery,
    headers: bookmarkHeader,
    answer: enveloped(searchResult),
  },
  async ({ c, query: { type, q, limit, source: wanted = null } }) => {
    const provider = async () => {
      const databaseBinding = await providerDatabaseBinding(controlDatabaseOf(c), new Date())
      return databaseBinding === null
        ? null
        : nearestCatalogOf(c, { workspaceId: PROVIDER_WORKSPACE, databaseBinding })
    }
    const search = { type, q, limit, source: wanted }
    const found = await expensiveRead(c, () =>
      partnerSearch(nearestCatalogOf(c), c.var.caller.workspaceId, provider, search),
    )
    const { source, rows, approximate } = found
    const items = rows.map((row) => returnedForm(recordTypes[type], row))
    const data = { type, source, items, count: items.length, approximate }
    return { message: `${items.length} matches`, data }
  },
)

export const searchEndpoints = [searchMedicalDatabase] as const
