import { Hono } from 'hono'
import { authenticateWithPartnerToken, requireScope } from '#auth/authenticate'
import type { AppContext, AppEnv } from '#http/context'
import { success } from '#http/responses'
import { validQuery } from '#http/validation'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { returnedForm } from '#records/stored-form'
import { catalogDatabase, controlDatabase } from '#storage/database'
import { searchCatalog } from './partner-search'
import { PROVIDER_WORKSPACE, providerDatabaseBinding } from './provider'
import { searchQuery } from './schemas'
import { readSearchStatus } from './status'

/** Partner search (decisions, section 7), mounted at /medical-db/v1/search. */
export const searchRoutes = new Hono<AppEnv>({ strict: false })

searchRoutes.get(
  '/',
  authenticateWithPartnerToken,
  requireScope('search'),
  validQuery(searchQuery),
  async (c) => {
    const { type, q, limit } = c.req.valid('query')
    const { workspaceId, databaseBinding } = c.var.caller
    const own = catalogDatabase(c.env, databaseBinding, c.var.meter)
    const { enabled } = await readSearchStatus(own, { workspaceId, type })
    const rows = enabled
      ? await searchCatalog(own, { workspaceId, type }, q, limit)
      : await searchProvider(c, type, q, limit)
    const items = rows.map((row) => returnedForm(recordTypes[type], row))
    const source = enabled ? 'workspace' : 'provider'
    return success(c, `${items.length} matches`, { type, source, items, count: items.length })
  },
)

async function searchProvider(c: AppContext, type: RecordTypeName, q: string, limit: number) {
  const binding = await providerDatabaseBinding(controlDatabase(c.env, c.var.meter), new Date())
  if (binding === null) return []
  const scope = { workspaceId: PROVIDER_WORKSPACE, type }
  return searchCatalog(catalogDatabase(c.env, binding, c.var.meter), scope, q, limit)
}
