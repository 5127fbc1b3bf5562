import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../http/context'
import { noStore } from '../http/no-store'
import { success } from '../http/responses'
import { readJson } from '../http/validation'
import { controlDatabase } from '../storage/database'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
import { createClient, listClients, revokeClient } from './clients'
import { requireOperator } from './operator'
import { newApiKeySchema, newClientSchema, newWorkspaceSchema } from './schemas'
import { createWorkspace, listWorkspaces } from './workspaces'

const REVOKED = { revoked: true } as const

const databaseOf = (c: AppContext) => controlDatabase(c.env, c.var.meter)

/** The operator endpoints (decisions, section 12). */
export const platformRoutes = new Hono<AppEnv>({ strict: false })

platformRoutes.use(requireOperator, noStore)

platformRoutes.post('/workspaces', async (c) => {
  const input = await readJson(c, newWorkspaceSchema)
  return success(c, 'Workspace created.', await createWorkspace(databaseOf(c), input, new Date()))
})

platformRoutes.get('/workspaces', async (c) =>
  success(c, 'Workspaces.', { items: await listWorkspaces(databaseOf(c)) }),
)

platformRoutes.post('/clients', async (c) => {
  const { name } = await readJson(c, newClientSchema)
  return success(
    c,
    'Client created. Its secret is not shown again.',
    await createClient(databaseOf(c), name, new Date()),
  )
})

platformRoutes.get('/clients', async (c) =>
  success(c, 'Clients.', { items: await listClients(databaseOf(c)) }),
)

platformRoutes.delete('/clients/:client_id', async (c) => {
  await revokeClient(databaseOf(c), c.req.param('client_id'), new Date())
  return success(c, 'Client revoked.', REVOKED)
})

platformRoutes.post('/workspaces/:workspace_id/api-keys', async (c) => {
  const input = await readJson(c, newApiKeySchema)
  const grant = { workspaceId: c.req.param('workspace_id'), clientId: input.client_id }
  return success(
    c,
    'API key created. It is not shown again.',
    await createApiKey(databaseOf(c), grant, new Date()),
  )
})

platformRoutes.get('/workspaces/:workspace_id/api-keys', async (c) =>
  success(c, 'API keys.', { items: await listApiKeys(databaseOf(c), c.req.param('workspace_id')) }),
)

platformRoutes.delete('/workspaces/:workspace_id/api-keys/:api_key_id', async (c) => {
  const { workspace_id: workspaceId, api_key_id: apiKeyId } = c.req.param()
  await revokeApiKey(databaseOf(c), { workspaceId, apiKeyId }, new Date())
  return success(c, 'API key revoked.', REVOKED)
})
