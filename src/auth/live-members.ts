import { and, eq, isNull } from 'drizzle-orm'
import type { Role } from '#access/roles'
import { CREDENTIAL_CACHE_SECONDS, REMEMBERED_MEMBERS } from '#limits'
import type { Database } from '#storage/database'
import { members, workspaces } from '#storage/schema'
import type { MemberGrant } from './access-token'
import { CredentialCache } from './credential-cache'

export interface LiveMember {
  /** Personal data, not to be logged. */
  email: string
  role: Role
  /** Name of the D1 binding that holds the workspace's catalogs. */
  databaseBinding: string
}

interface CachedMember {
  memberId: string
  /** Null when the membership is revoked or unknown. */
  member: LiveMember | null
}

const cached = new CredentialCache<CachedMember>(CREDENTIAL_CACHE_SECONDS * 1000, REMEMBERED_MEMBERS)

/**
 * The membership that a grant names, as long as it is valid.
 *
 * Costs one query, or none for `CREDENTIAL_CACHE_SECONDS` after it; a revocation or another role, given elsewhere, is seen
 * after that time at the latest. What outlives the request does not rely on it (`workspace/authority.ts`). A refusal is
 * remembered as well: a revoked membership never becomes valid again.
 *
 * @returns null when the membership is revoked or unknown, or is one of another workspace
 */
export async function liveMember(
  { orm }: Database,
  { memberId, workspaceId }: Pick<MemberGrant, 'memberId' | 'workspaceId'>,
  now: Date,
): Promise<LiveMember | null> {
  // Ids hold no space: different grants never have one key.
  const key = `${memberId} ${workspaceId}`
  const known = cached.get(key, now)
  if (known) return known.member
  const [member = null] = await orm
    .select({
      email: members.email,
      role: members.role,
      databaseBinding: workspaces.databaseBinding,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.workspaceId, members.workspaceId))
    .where(
      and(eq(members.memberId, memberId), eq(members.workspaceId, workspaceId), isNull(members.revokedAt)),
    )
  cached.set(key, { memberId, member }, now)
  return member
}

/** Makes a revocation or a change of role effective at once in this isolate. */
export const forgetMember = (memberId: string): void => cached.forget((entry) => entry.memberId === memberId)
