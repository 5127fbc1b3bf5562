import { and, eq, exists, isNull, sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import type { Database } from '#worker/storage/database'
import { apiKeys, clients, members, sessions, workspaces } from '#worker/storage/schema/control'
import { TimedLookup } from '#worker/storage/timed-cache'
import type { ClientGrant, MemberGrant } from './access-token'

/** Grants of access tokens that one isolate remembers; at some 300 bytes each they take about 3 MB. */
const MAX_CACHED_GRANTS = 10_000

async function readClient({ orm }: Database, { workspace_id, client_id, api_key_id }: ClientGrant) {
  const [live = null] = await orm
    .select({ databaseBinding: workspaces.databaseBinding, state: workspaces.state, scopes: apiKeys.scopes })
    .from(apiKeys)
    .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .where(
      and(
        eq(apiKeys.apiKeyId, api_key_id),
        eq(apiKeys.clientId, client_id),
        eq(apiKeys.workspaceId, workspace_id),
        isNull(apiKeys.revokedAt),
        isNull(clients.revokedAt),
      ),
    )
  return live && { ...live, workspaceId: workspace_id, clientId: client_id, apiKeyId: api_key_id }
}

type LiveClient = NonNullable<Awaited<ReturnType<typeof readClient>>>

// Cached misses can stay: a revoked credential never becomes valid again.
const liveClients = new TimedLookup<LiveClient>(CREDENTIAL_CACHE_SECONDS * 1000, MAX_CACHED_GRANTS)

/** What a grant of a client permits; null when its key or client is revoked or unknown. One query, if not cached. */
export function liveClient(database: Database, grant: ClientGrant, now: Date): Promise<LiveClient | null> {
  // Ids have no spaces, so different grants never share a key.
  const key = `${grant.api_key_id} ${grant.client_id} ${grant.workspace_id}`
  return liveClients.find(key, now, () => readClient(database, grant))
}

/** Memberships that one isolate remembers; at some 300 bytes each they take about 1 MB. */
const MAX_CACHED_MEMBERS = 2000

type MemberKey = Omit<MemberGrant, 'sub'>

async function readMember({ orm }: Database, { member_id, workspace_id: workspaceId, sid: sessionId }: MemberKey) {
  const session = orm
    .select({ one: sql`1` })
    .from(sessions)
    .where(eq(sessions.sessionHash, sessionId ?? ''))
  const [member = null] = await orm
    .select({
      memberId: members.memberId,
      // Personal data, not to be logged.
      email: members.email,
      role: members.role,
      databaseBinding: workspaces.databaseBinding,
      state: workspaces.state,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.workspaceId, members.workspaceId))
    .where(
      and(
        eq(members.memberId, member_id),
        eq(members.workspaceId, workspaceId),
        isNull(members.revokedAt),
        sessionId === undefined ? undefined : exists(session),
      ),
    )
  return member && { ...member, workspaceId, sessionId }
}

type LiveMember = NonNullable<Awaited<ReturnType<typeof readMember>>>

// Cached misses can stay: neither a revoked membership nor an ended session becomes valid again.
const liveMembers = new TimedLookup<LiveMember>(CREDENTIAL_CACHE_SECONDS * 1000, MAX_CACHED_MEMBERS)

/**
 * The membership of a grant; null when it is revoked or unknown, or its session has ended. One query, if not cached:
 * changes that outlive the request check again (`workspace/admin-context.ts`).
 */
export function liveMember(database: Database, membership: MemberKey, now: Date): Promise<LiveMember | null> {
  // Ids have no spaces, so different grants never share a key.
  const key = `${membership.member_id} ${membership.workspace_id} ${membership.sid ?? ''}`
  return liveMembers.find(key, now, () => readMember(database, membership))
}
