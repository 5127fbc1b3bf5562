import { Hono } from 'hono'
import { masterKeysOf } from '#crypto/master-keys'
import { configOf } from '#env'
import type { AppContext, AppEnv } from '#http/context'
import { success } from '#http/responses'
import { readJson } from '#http/validation'
import { controlDatabase } from '#storage/database'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys'
import type { Authority } from './authority'
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
  /** Whose authority a request relies on, over which workspace. That it may be relied on has been decided before. */
  authorityOf: (c: AppContext) => Authority
  /** Whether the workspace must keep an admin. */
  keepsAdmin: boolean
}

const databaseOf = (c: AppContext) => controlDatabase(c.env, c.var.meter)

function apiKeyRoutes({ authorityOf }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    const { client_id: clientId } = await readJson(c, newApiKeySchema)
    const created = await createApiKey(databaseOf(c), authorityOf(c), clientId, new Date())
    return success(c, 'API key created. It is not shown again.', created)
  })

  routes.get('/', async (c) =>
    success(c, 'API keys.', { items: await listApiKeys(databaseOf(c), authorityOf(c).workspaceId) }),
  )

  routes.delete('/:api_key_id', async (c) => {
    await revokeApiKey(databaseOf(c), authorityOf(c), c.req.param('api_key_id'), new Date())
    return success(c, 'API key revoked.', REVOKED)
  })

  return routes
}

function partnerCredentialRoutes({ authorityOf }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    const input = await readJson(c, newPartnerCredentialSchema)
    const created = await createPartnerCredential(
      databaseOf(c),
      await masterKeysOf(c.env),
      authorityOf(c),
      input,
      configOf(c.env).partnerAudience,
      new Date(),
    )
    return success(c, 'Partner credential created. Its secret is not shown again.', created)
  })

  routes.get('/', async (c) => {
    const { partnerAudience } = configOf(c.env)
    const items = await listPartnerCredentials(databaseOf(c), authorityOf(c).workspaceId, partnerAudience)
    return success(c, 'Partner credentials.', { items })
  })

  routes.delete('/:kid', async (c) => {
    await revokePartnerCredential(databaseOf(c), authorityOf(c), c.req.param('kid'), new Date())
    return success(c, 'Partner credential revoked.', REVOKED)
  })

  return routes
}

function encryptionKeyRoutes({ authorityOf }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    await readJson(c, newEncryptionKeySchema)
    const masterKeys = await masterKeysOf(c.env)
    const created = await createEncryptionKey(databaseOf(c), masterKeys, authorityOf(c), new Date())
    return success(c, 'Encryption key created. It is not shown again.', created)
  })

  routes.get('/', async (c) =>
    success(c, 'Encryption keys.', {
      items: await listEncryptionKeys(databaseOf(c), authorityOf(c).workspaceId),
    }),
  )

  routes.delete('/:kid', async (c) => {
    await revokeEncryptionKey(databaseOf(c), authorityOf(c), c.req.param('kid'), new Date())
    return success(c, 'Encryption key revoked.', REVOKED)
  })

  return routes
}

function memberRoutes({ authorityOf, keepsAdmin }: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })

  routes.post('/', async (c) => {
    const input = await readJson(c, newMemberSchema)
    const added = await addMember(databaseOf(c), authorityOf(c), input, { keepsAdmin }, new Date())
    return success(c, 'Member added.', added)
  })

  routes.get('/', async (c) =>
    success(c, 'Members.', { items: await listMembers(databaseOf(c), authorityOf(c).workspaceId) }),
  )

  routes.delete('/:email', async (c) => {
    await revokeMember(databaseOf(c), authorityOf(c), c.req.param('email'), { keepsAdmin }, new Date())
    return success(c, 'Member revoked.', REVOKED)
  })

  return routes
}

/**
 * The endpoints for the keys and members of a workspace, as the operator and its own admins have them. Neither
 * authentication nor permission is checked here: both come before, where these routes are mounted. Each
 * change sees for itself that the authority still holds.
 */
export function administrationRoutes(administration: Administration): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false })
  routes.route('/api-keys', apiKeyRoutes(administration))
  routes.route('/partner-credentials', partnerCredentialRoutes(administration))
  routes.route('/encryption-keys', encryptionKeyRoutes(administration))
  routes.route('/members', memberRoutes(administration))
  return routes
}
