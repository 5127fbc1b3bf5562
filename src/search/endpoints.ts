import { scopeOrPartnerToken } from '#auth/access'
import { enveloped } from '#http/answers'
import type { AppContext } from '#http/context'
import { controlDatabaseOf, nearestCatalogOf } from '#http/databases'
import { endpoint } from '#http/endpoint'
import { expensiveRead } from '#http/expensive-reads'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { type RecordRow, returnedForm } from '#records/stored-form'
import { searchCatalog } from './partner-search'
import { PROVIDER_WORKSPACE, providerDatabaseBinding } from './provider'
import { searchQuery, searchResult } from './schemas'
import { readSearchStatus } from './status'

async function searchProvider(
  c: AppContext,
  type: RecordTypeName,
  q: string,
  limit: number,
): Promise<RecordRow[]> {
  const binding = await providerDatabaseBinding(controlDatabaseOf(c), new Date())
  if (binding === null) return []
  const scope = { workspaceId: PROVIDER_WORKSPACE, type }
  const place = { workspaceId: PROVIDER_WORKSPACE, databaseBinding: binding }
  return searchCatalog(nearestCatalogOf(c, place), scope, q, limit)
}

const searchMedicalDatabase = endpoint(
  {
    method: 'get',
    path: '/medical-db/v1/search/',
    operationId: 'searchMedicalDatabase',
    tag: 'Partner search',
    summary: 'Search the medical database as somebody types',
    description:
      "Searches the workspace's own active records where the search switch of the type is on, else the provider's " +
      'medical database. Best match first.',
    access: scopeOrPartnerToken('search'),
    query: searchQuery,
    answer: enveloped(searchResult),
  },
  async ({ c, query: { type, q, limit } }) => {
    const { workspaceId } = c.var.caller
    const own = nearestCatalogOf(c)
    const { enabled } = await readSearchStatus(own, { workspaceId, type })
    const rows = await expensiveRead(c, () =>
      enabled ? searchCatalog(own, { workspaceId, type }, q, limit) : searchProvider(c, type, q, limit),
    )
    const items = rows.map((row) => returnedForm(recordTypes[type], row))
    const source = enabled ? ('workspace' as const) : ('provider' as const)
    return { message: `${items.length} matches`, data: { type, source, items, count: items.length } }
  },
)

export const searchEndpoints = [searchMedicalDatabase] as const
