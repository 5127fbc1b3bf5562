import { and, eq, isNull } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS, REMEMBERED_MEMBERS } from '#limits'
import type { Database } from '#storage/database'
import { members, workspaces } from '#storage/schema/control'
import { TimedLookup } from '#storage/timed-cache'
import type { MemberGrant } from './access-token'

type Membership = Pick<MemberGrant, 'memberId' | 'workspaceId'>

async function readMember({ orm }: Database, { memberId, workspaceId }: Membership) {
  const [member = null] = await orm
    .select({
      memberId: members.memberId,
      // Personal data, not to be logged.
      email: members.email,
      role: members.role,
      databaseBinding: workspaces.databaseBinding,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.workspaceId, members.workspaceId))
    .where(
      and(eq(members.memberId, memberId), eq(members.workspaceId, workspaceId), isNull(members.revokedAt)),
    )
  return member
}

type LiveMember = NonNullable<Awaited<ReturnType<typeof readMember>>>

// What was missing needs not be forgotten: a revoked membership never becomes valid again.
const known = new TimedLookup<LiveMember>(CREDENTIAL_CACHE_SECONDS * 1000, REMEMBERED_MEMBERS)

/**
 * The membership of a grant, if it is valid.
 *
 * Costs one query, and none for the next `CREDENTIAL_CACHE_SECONDS`. A revocation or a change of role in
 * another isolate is seen after that time at the latest, so changes that outlive the request check again
 * (`workspace/authority.ts`). Refusals are cached too.
 *
 * @returns null when the membership is revoked or unknown, or belongs to another workspace
 */
export function liveMember(
  database: Database,
  membership: Membership,
  now: Date,
): Promise<LiveMember | null> {
  // Ids have no spaces, so different grants never share a key.
  const key = `${membership.memberId} ${membership.workspaceId}`
  return known.find(key, now, () => readMember(database, membership))
}

/** Makes this isolate see a revocation or a change of role at once. */
export const forgetMember = (memberId: string): void => known.forget((member) => member.memberId === memberId)
