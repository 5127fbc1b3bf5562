import { and, eq, isNull } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import type { Database } from '#worker/storage/database'
import { apiKeys, clients, workspaces } from '#worker/storage/schema/control'
import { TimedLookup } from '#worker/storage/timed-cache'
import type { ClientGrant } from './access-token'

/** Grants of access tokens that one isolate remembers; at some 300 bytes each they take about 3 MB. */
const REMEMBERED_GRANTS = 10_000

async function readClient(database: Database, grant: ClientGrant) {
  const [live] = await database.orm
    .select({ databaseBinding: workspaces.databaseBinding, scopes: apiKeys.scopes })
    .from(apiKeys)
    .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .where(
      and(
        eq(apiKeys.apiKeyId, grant.apiKeyId),
        eq(apiKeys.clientId, grant.clientId),
        eq(apiKeys.workspaceId, grant.workspaceId),
        isNull(apiKeys.revokedAt),
        isNull(clients.revokedAt),
      ),
    )
  return live === undefined ? null : { ...grant, ...live }
}

type LiveClient = NonNullable<Awaited<ReturnType<typeof readClient>>>

// Cached misses can stay: a revoked credential never becomes valid again.
const liveClients = new TimedLookup<LiveClient>(CREDENTIAL_CACHE_SECONDS * 1000, REMEMBERED_GRANTS)

/**
 * The database of a grant's workspace and the scopes of its API key; null when the key or its client is revoked or
 * unknown.
 *
 * Costs one query, and none for the next `CREDENTIAL_CACHE_SECONDS`. A revocation in another isolate is seen
 * after that time at the latest. Refusals are cached too.
 */
export function liveClient(database: Database, grant: ClientGrant, now: Date): Promise<LiveClient | null> {
  const { apiKeyId, clientId, workspaceId } = grant
  // Ids have no spaces, so different grants never share a key.
  return liveClients.find(`${apiKeyId} ${clientId} ${workspaceId}`, now, () => readClient(database, grant))
}

/** Makes this isolate see the revocation of a client at once. */
export const forgetClient = (clientId: string): void => liveClients.forget((client) => client.clientId === clientId)

/** Makes this isolate see the revocation of an API key at once. */
export const forgetApiKey = (apiKeyId: string): void => liveClients.forget((client) => client.apiKeyId === apiKeyId)
