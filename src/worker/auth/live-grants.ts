import { and, eq, exists, isNull, sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import type { Database } from '#worker/storage/database'
import { apiKeys, clients, members, sessions, workspaces } from '#worker/storage/schema/control'
import { TimedLookup } from '#worker/storage/timed-cache'
import type { ClientGrant, MemberGrant } from './access-token'

/** Cache of grants, of about 300 bytes each; about 3 MB in total. */
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

// Misses can stay cached: a revoked credential never becomes valid again.
const liveClients = new TimedLookup<LiveClient>(CREDENTIAL_CACHE_SECONDS * 1000, MAX_CACHED_GRANTS)

/** What a client's grant permits; null if its key or client is revoked or unknown. One query unless cached. */
export function liveClient(database: Database, grant: ClientGrant, now: Date): Promise<LiveClient | null> {
  // IDs contain no spaces, so different grants never share a key.
  const key = `${grant.api_key_id} ${grant.client_id} ${grant.workspace_id}`
  return liveClients.find(key, now, () => readClient(database, grant))
}

/** Cache of memberships, of about 300 bytes each; about 1 MB in total. */
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

// Misses can stay cached: revoked memberships and ended sessions never become valid again.
const liveMembers = new TimedLookup<LiveMember>(CREDENTIAL_CACHE_SECONDS * 1000, MAX_CACHED_MEMBERS)

/**
 * The membership of a grant; null if it is revoked or unknown, or its session has ended. One query unless cached.
 * Lasting changes check again (`workspace/admin-context.ts`).
 */
export function liveMember(database: Database, membership: MemberKey, now: Date): Promise<LiveMember | null> {
  // IDs contain no spaces, so different grants never share a key.
  const key = `${membership.member_id} ${membership.workspace_id} ${membership.sid ?? ''}`
  return liveMembers.find(key, now, () => readMember(database, membership))
}
