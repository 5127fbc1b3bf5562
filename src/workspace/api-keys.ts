import { and, eq, isNull, sql } from 'drizzle-orm'
import { forgetApiKey } from '#auth/live-clients'
import { sha256Hex } from '#crypto/hash'
import { randomId, randomSecret } from '#crypto/random'
import { ApiError, invalidField } from '#errors'
import { type Database, int } from '#storage/database'
import { apiKeys, clients } from '#storage/schema'
import {
  type Authority,
  authorityLostError,
  authorityQuery,
  changeWhileHeld,
  insertWhileHeld,
  whileHeld,
} from './authority'
import type { ApiKey, ApiKeySecret } from './schemas'
import { noSuchWorkspace, workspaceQuery } from './workspace'

/**
 * Creates an API key, with which a client gets access tokens for a workspace. The key is in the answer only;
 * a hash of it is stored.
 *
 * @throws ApiError 400 for an unknown or revoked client; as `authorityLostError`
 */
export async function createApiKey(
  database: Database,
  authority: Authority,
  clientId: string,
  now: Date,
): Promise<ApiKeySecret> {
  const { orm } = database
  const [[held], [client]] = await orm.batch([
    authorityQuery(database, authority),
    orm
      .select({ clientId: clients.clientId })
      .from(clients)
      .where(and(eq(clients.clientId, clientId), isNull(clients.revokedAt))),
  ])
  if (!held) throw await authorityLostError(database, authority, now)
  // A client that is revoked after this check does no harm: every use of the key checks the client too.
  if (!client)
    throw invalidField(
      'client_id',
      'not_found',
      'is not the id of a client, or of one that is revoked',
      clientId,
    )

  const apiKeyId = randomId('dcs_keyid_')
  const apiKey = randomSecret('dcs_key_')
  const { workspaceId } = authority
  const row = { apiKeyId, workspaceId, clientId, keyHash: await sha256Hex(apiKey), createdAt: now.getTime() }
  await insertWhileHeld(database, authority, apiKeys, row, now)
  return { api_key_id: apiKeyId, api_key: apiKey }
}

/**
 * The usable API keys of a workspace, oldest first: neither they nor their clients are revoked. Clients
 * without a key of this workspace are not named.
 *
 * @throws ApiError 404 for an unknown workspace
 */
export async function listApiKeys(database: Database, workspaceId: string): Promise<ApiKey[]> {
  const [[workspace], rows] = await database.orm.batch([
    workspaceQuery(database, workspaceId),
    database.orm
      .select({
        apiKeyId: apiKeys.apiKeyId,
        clientId: apiKeys.clientId,
        clientName: clients.name,
        createdAt: apiKeys.createdAt,
      })
      .from(apiKeys)
      .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
      .where(and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.revokedAt), isNull(clients.revokedAt)))
      .orderBy(apiKeys.createdAt, sql`${apiKeys}.rowid`),
  ])
  if (!workspace) throw noSuchWorkspace()
  return rows.map((row) => ({
    api_key_id: row.apiKeyId,
    client_id: row.clientId,
    client_name: row.clientName,
    created_at: new Date(row.createdAt).toISOString(),
  }))
}

/**
 * Revokes an API key of a workspace with its access tokens: at once in this isolate, within 60 seconds
 * everywhere. A second call changes nothing.
 *
 * @throws ApiError 404 when the workspace never had such a key; as `authorityLostError`
 */
export async function revokeApiKey(
  database: Database,
  authority: Authority,
  apiKeyId: string,
  now: Date,
): Promise<void> {
  const revocation = database.orm
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${int(now.getTime())})` })
    .where(
      and(
        eq(apiKeys.workspaceId, authority.workspaceId),
        eq(apiKeys.apiKeyId, apiKeyId),
        whileHeld(database, authority),
      ),
    )
    .returning({ apiKeyId: apiKeys.apiKeyId })
  const [revoked] = await changeWhileHeld(database, authority, revocation, now)
  if (!revoked) throw new ApiError('not_found', 'The workspace has no such API key.')
  forgetApiKey(apiKeyId)
}
