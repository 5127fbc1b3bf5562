import { Hono } from 'hono'
import { masterKeysOf } from '#crypto/master-keys'
import type { AppContext, AppEnv } from '#http/context'
import { assumeWrittenOnTimeout } from '#http/deadline'
import { noStore } from '#http/no-store'
import { success } from '#http/responses'
import { readJson } from '#http/validation'
import { controlDatabase } from '#storage/database'
import { administrationRoutes } from '#workspace/administration'
import type { Authority } from '#workspace/authority'
import { REVOKED } from '#workspace/schemas'
import { createClient, listClients, revokeClient } from './clients'
import { requireOperator } from './operator'
import { reseal } from './reseal'
import { newClientSchema, newWorkspaceSchema } from './schemas'
import { createWorkspace, listWorkspaces } from './workspaces'

const databaseOf = (c: AppContext) => controlDatabase(c.env, c.var.meter)

/** The operator names the workspace; whether there is one, each verb finds out. */
function operatorOn(c: AppContext): Authority {
  const workspaceId = c.req.param('workspace_id')
  if (workspaceId === undefined) throw new Error('a path of a workspace without its id')
  return { workspaceId }
}

/** The operator endpoints (decisions, section 12). */
export const platformRoutes = new Hono<AppEnv>({ strict: false })

platformRoutes.use(requireOperator, assumeWrittenOnTimeout, noStore)

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

platformRoutes.route(
  '/workspaces/:workspace_id',
  administrationRoutes({ authorityOf: operatorOn, keepsAdmin: false }),
)

platformRoutes.post('/reseal', async (c) => {
  const result = await reseal(databaseOf(c), await masterKeysOf(c.env))
  return success(c, `${result.resealed} secrets sealed anew, ${result.remaining} remaining.`, result)
})
