import { Hono } from 'hono'
import { masterKeysOf } from '../crypto/master-keys'
import { configOf } from '../env'
import type { AppContext, AppEnv } from '../http/context'
import { noStore } from '../http/no-store'
import { success } from '../http/responses'
import { readJson } from '../http/validation'
import { controlDatabase } from '../storage/database'
import { createApiKey, listApiKeys, revokeApiKey } from '../workspace/api-keys'
import { createEncryptionKey, listEncryptionKeys, revokeEncryptionKey } from '../workspace/encryption-keys'
import { addMember, listMembers, revokeMember } from '../workspace/members'
import {
  createPartnerCredential,
  listPartnerCredentials,
  revokePartnerCredential,
} from '../workspace/partner-credentials'
import {
  newApiKeySchema,
  newEncryptionKeySchema,
  newMemberSchema,
  newPartnerCredentialSchema,
  REVOKED,
} from '../workspace/schemas'
import { createClient, listClients, revokeClient } from './clients'
import { requireOperator } from './operator'
import { reseal } from './reseal'
import { newClientSchema, newWorkspaceSchema } from './schemas'
import { createWorkspace, listWorkspaces } from './workspaces'

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

platformRoutes.post('/workspaces/:workspace_id/partner-credentials', async (c) => {
  const input = await readJson(c, newPartnerCredentialSchema)
  const created = await createPartnerCredential(
    databaseOf(c),
    await masterKeysOf(c.env),
    { workspaceId: c.req.param('workspace_id'), ...input },
    configOf(c.env).partnerAudience,
    new Date(),
  )
  return success(c, 'Partner credential created. Its secret is not shown again.', created)
})

platformRoutes.get('/workspaces/:workspace_id/partner-credentials', async (c) => {
  const { partnerAudience } = configOf(c.env)
  const items = await listPartnerCredentials(databaseOf(c), c.req.param('workspace_id'), partnerAudience)
  return success(c, 'Partner credentials.', { items })
})

platformRoutes.delete('/workspaces/:workspace_id/partner-credentials/:kid', async (c) => {
  const { workspace_id: workspaceId, kid } = c.req.param()
  await revokePartnerCredential(databaseOf(c), { workspaceId, kid }, new Date())
  return success(c, 'Partner credential revoked.', REVOKED)
})

platformRoutes.post('/workspaces/:workspace_id/encryption-keys', async (c) => {
  await readJson(c, newEncryptionKeySchema)
  const masterKeys = await masterKeysOf(c.env)
  const created = await createEncryptionKey(
    databaseOf(c),
    masterKeys,
    c.req.param('workspace_id'),
    new Date(),
  )
  return success(c, 'Encryption key created. It is not shown again.', created)
})

platformRoutes.get('/workspaces/:workspace_id/encryption-keys', async (c) =>
  success(c, 'Encryption keys.', {
    items: await listEncryptionKeys(databaseOf(c), c.req.param('workspace_id')),
  }),
)

platformRoutes.delete('/workspaces/:workspace_id/encryption-keys/:kid', async (c) => {
  const { workspace_id: workspaceId, kid } = c.req.param()
  await revokeEncryptionKey(databaseOf(c), { workspaceId, kid }, new Date())
  return success(c, 'Encryption key revoked.', REVOKED)
})

platformRoutes.post('/workspaces/:workspace_id/members', async (c) => {
  const input = await readJson(c, newMemberSchema)
  const member = { workspaceId: c.req.param('workspace_id'), ...input }
  return success(c, 'Member added.', await addMember(databaseOf(c), member, new Date()))
})

platformRoutes.get('/workspaces/:workspace_id/members', async (c) =>
  success(c, 'Members.', { items: await listMembers(databaseOf(c), c.req.param('workspace_id')) }),
)

platformRoutes.delete('/workspaces/:workspace_id/members/:email', async (c) => {
  const { workspace_id: workspaceId, email } = c.req.param()
  await revokeMember(databaseOf(c), { workspaceId, email }, new Date())
  return success(c, 'Member revoked.', REVOKED)
})

platformRoutes.post('/reseal', async (c) => {
  const result = await reseal(databaseOf(c), await masterKeysOf(c.env))
  return success(c, `${result.resealed} secrets sealed anew, ${result.remaining} remaining.`, result)
})
