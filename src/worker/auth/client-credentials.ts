import { and, eq, getTableColumns, isNull, ne } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { equalInConstantTime, sha256Hex } from '#worker/crypto/hash'
import { randomId, randomSecret } from '#worker/crypto/random'
import type { Database } from '#worker/storage/database'
import { countRows, type Room } from '#worker/storage/quotas'
import { apiKeys, clients, workspaces } from '#worker/storage/schema/control'
import type { ClientGrant } from './access-token'
import { requireOpen } from './workspace-state'

export const CLIENT_ID_PREFIX = 'dcs_client_'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** Selects the workspace; empty if absent. */
  apiKey: string
  /** Whether the client used HTTP Basic. Then a 401 names that scheme (RFC 6749, section 5.2). */
  byBasic: boolean
}

const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Dataset Catalog Service"' }

const NO_HASH = '0'.repeat(64)

/** The 401 for every wrong, revoked or foreign part. `reason` is for the log only. */
export const invalidClient = (byBasic: boolean, reason: string): ApiError =>
  new ApiError(
    'unauthorized',
    'The client, its secret or the API key is wrong or revoked. Check client_id, client_secret and the API ' +
      'key (header X-API-KEY, or api_key in the body).',
    {
      oauth: 'invalid_client',
      ...(byBasic ? { headers: BASIC_CHALLENGE } : {}),
      reason: `client credentials: ${reason}`,
    },
  )

/**
 * Finds the workspace that a client may use (docs/contract.md#token-exchange). Runs the same hashes, queries and
 * comparisons, whichever part is wrong. Does not limit the number of attempts.
 *
 * @throws ApiError 401; 403 when the workspace is suspended
 */
export async function exchangeClientCredentials(
  database: Database,
  { clientId, clientSecret, apiKey, byBasic }: ClientCredentials,
) {
  const refusal = (reason: string) => invalidClient(byBasic, reason)
  const [secretHash, keyHash] = await Promise.all([sha256Hex(clientSecret), sha256Hex(apiKey)])
  const { orm } = database
  const [clientRows, keyRows] = await orm.batch([
    orm.select().from(clients).where(eq(clients.clientId, clientId)),
    orm
      .select({ ...getTableColumns(apiKeys), state: workspaces.state })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
      .where(eq(apiKeys.keyHash, keyHash)),
  ])
  const client = clientRows[0]
  const key = keyRows[0]
  const [secretMatches, keyMatches] = await Promise.all([
    equalInConstantTime(secretHash, client?.secretHash ?? NO_HASH),
    equalInConstantTime(keyHash, key?.keyHash ?? NO_HASH),
  ])
  if (!client) throw refusal('unknown client')
  if (!secretMatches) throw refusal('wrong secret')
  if (client.revokedAt !== null) throw refusal('client revoked')
  if (!key || !keyMatches) throw refusal('unknown or missing API key')
  if (key.clientId !== client.clientId) throw refusal('API key of another client')
  if (key.revokedAt !== null) throw refusal('API key revoked')
  requireOpen(key.state)
  const grant: ClientGrant = { client_id: clientId, workspace_id: key.workspaceId, api_key_id: key.apiKeyId }
  return { grant, key }
}

export async function newClient(name: string, now: Date) {
  const clientId = randomId(CLIENT_ID_PREFIX)
  const clientSecret = randomSecret('dcs_secret_')
  return {
    row: { clientId, name, secretHash: await sha256Hex(clientSecret), createdAt: now.getTime() },
    credentials: { client_id: clientId, client_secret: clientSecret },
  }
}

/** The limit on clients that belong to no workspace. */
export const roomForClient = (database: Pick<Database, 'orm'>, clientId: string): Room => ({
  quota: 'clients',
  others: countRows(
    database,
    clients,
    and(isNull(clients.workspaceId), isNull(clients.revokedAt), ne(clients.clientId, clientId)),
  ),
})
