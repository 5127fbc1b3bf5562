import { Hono } from 'hono'
import { masterKeysOf } from '../crypto/master-keys'
import { configOf } from '../env'
import type { AppContext, AppEnv } from '../http/context'
import { success } from '../http/responses'
import { readJson } from '../http/validation'
import { controlDatabase } from '../storage/database'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
import { createEncryptionKey, listEncryptionKeys, revokeEncryptionKey } from './encryption-keys'
import { addMember, listMembers, revokeMember } from './members'
import {
  createPartnerCredential,
  listPartnerCredentials,
  revokePartnerCredential,
} from './partner-credentials'
import {
  newApiKeySchema,
  newEncryptionKeySchema,
  newMemberSchema,
  newPartnerCredentialSchema,
  REVOKED,
} from './schemas'

/** In what capacity keys and members are managed. */
export interface Administration {
  /** The workspace that a request is about. Whether the caller may manage it has been decided before. */
  workspaceIdOf: (c: AppContext) => string
  /** Whether the workspace must keep an admin. */
  keepsAdmin: boolean
}

const databaseOf = (c: AppContext) => controlDatabase(c.env, c.var.meter)

function apiKeyRoutes({ workspaceIdOf }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    const { client_id: clientId } = await readJson(c, newApiKeySchema)
    const grant = { workspaceId: workspaceIdOf(c), clientId }
    const created = await createApiKey(databaseOf(c), grant, new Date())
    return success(c, 'API key created. It is not shown again.', created)
  })

  routes.get('/', async (c) =>
    success(c, 'API keys.', { items: await listApiKeys(databaseOf(c), workspaceIdOf(c)) }),
  )

  routes.delete('/:api_key_id', async (c) => {
    const key = { workspaceId: workspaceIdOf(c), apiKeyId: c.req.param('api_key_id') }
    await revokeApiKey(databaseOf(c), key, new Date())
    return success(c, 'API key revoked.', REVOKED)
  })

  return routes
}

function partnerCredentialRoutes({ workspaceIdOf }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    const input = await readJson(c, newPartnerCredentialSchema)
    const created = await createPartnerCredential(
      databaseOf(c),
      await masterKeysOf(c.env),
      { workspaceId: workspaceIdOf(c), ...input },
      configOf(c.env).partnerAudience,
      new Date(),
    )
    return success(c, 'Partner credential created. Its secret is not shown again.', created)
  })

  routes.get('/', async (c) => {
    const { partnerAudience } = configOf(c.env)
    const items = await listPartnerCredentials(databaseOf(c), workspaceIdOf(c), partnerAudience)
    return success(c, 'Partner credentials.', { items })
  })

  routes.delete('/:kid', async (c) => {
    const credential = { workspaceId: workspaceIdOf(c), kid: c.req.param('kid') }
    await revokePartnerCredential(databaseOf(c), credential, new Date())
    return success(c, 'Partner credential revoked.', REVOKED)
  })

  return routes
}

function encryptionKeyRoutes({ workspaceIdOf }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    await readJson(c, newEncryptionKeySchema)
    const masterKeys = await masterKeysOf(c.env)
    const created = await createEncryptionKey(databaseOf(c), masterKeys, workspaceIdOf(c), new Date())
    return success(c, 'Encryption key created. It is not shown again.', created)
  })

  routes.get('/', async (c) =>
    success(c, 'Encryption keys.', { items: await listEncryptionKeys(databaseOf(c), workspaceIdOf(c)) }),
  )

  routes.delete('/:kid', async (c) => {
    const key = { workspaceId: workspaceIdOf(c), kid: c.req.param('kid') }
    await revokeEncryptionKey(databaseOf(c), key, new Date())
    return success(c, 'Encryption key revoked.', REVOKED)
  })

  return routes
}

function memberRoutes({ workspaceIdOf, keepsAdmin }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    const input = await readJson(c, newMemberSchema)
    const member = { workspaceId: workspaceIdOf(c), ...input }
    return success(c, 'Member added.', await addMember(databaseOf(c), member, { keepsAdmin }, new Date()))
  })

  routes.get('/', async (c) =>
    success(c, 'Members.', { items: await listMembers(databaseOf(c), workspaceIdOf(c)) }),
  )

  routes.delete('/:email', async (c) => {
    const member = { workspaceId: workspaceIdOf(c), email: c.req.param('email') }
    await revokeMember(databaseOf(c), member, { keepsAdmin }, new Date())
    return success(c, 'Member revoked.', REVOKED)
  })

  return routes
}

/**
 * The endpoints for the keys and members of a workspace, as the operator and its own admins have them. Neither
 * authentication nor permission is checked here: both come before, where these routes are mounted.
 */
export function administrationRoutes(administration: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })
  routes.route('/api-keys', apiKeyRoutes(administration))
  routes.route('/partner-credentials', partnerCredentialRoutes(administration))
  routes.route('/encryption-keys', encryptionKeyRoutes(administration))
  routes.route('/members', memberRoutes(administration))
  return routes
}
