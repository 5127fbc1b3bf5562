import { and, eq, isNull, sql } from 'drizzle-orm'
import { normalisedEmail } from '../auth/email'
import { forgetMember } from '../auth/live-members'
import type { Role } from '../auth/roles'
import { randomId } from '../crypto/random'
import { ApiError } from '../errors'
import { retrying } from '../storage/d1'
import { type Database, int } from '../storage/database'
import { members } from '../storage/schema'
import type { Member, MemberRole } from './schemas'
import { noSuchWorkspace, requireWorkspace, workspaceQuery } from './workspace'

/**
 * Makes somebody a member of a workspace, or gives a member another role, which acts at once here and within 60 seconds
 * everywhere.
 *
 * @param email in any case
 * @throws ApiError 404 for an unknown workspace
 */
export async function addMember(
  database: Database,
  { workspaceId, email, role }: { workspaceId: string; email: string; role: Role },
  now: Date,
): Promise<MemberRole> {
  await requireWorkspace(database, workspaceId)
  const { memberId, createdAt, revokedAt } = members
  const row = {
    memberId: randomId('dcs_member_'),
    workspaceId,
    email: normalisedEmail(email),
    role,
    createdAt: now.getTime(),
  }
  // After a revocation a new membership begins: what was given out for the old one stays dead.
  const renewed = (column: typeof memberId | typeof createdAt) =>
    sql`case when ${revokedAt} is null then ${column} else excluded.${sql.identifier(column.name)} end`
  const added = await retrying(() =>
    database.orm
      .insert(members)
      .values(row)
      .onConflictDoUpdate({
        target: [members.workspaceId, members.email],
        set: { role, memberId: renewed(memberId), createdAt: renewed(createdAt), revokedAt: null },
      })
      .returning({ memberId }),
  )
  for (const member of added) forgetMember(member.memberId)
  return { email: row.email, role }
}

/**
 * The members of a workspace, oldest first.
 *
 * @throws ApiError 404 for an unknown workspace
 */
export async function listMembers(database: Database, workspaceId: string): Promise<Member[]> {
  const { email, role, createdAt, revokedAt } = members
  const [[workspace], rows] = await database.orm.batch([
    workspaceQuery(database, workspaceId),
    database.orm
      .select({ email, role, createdAt })
      .from(members)
      .where(and(eq(members.workspaceId, workspaceId), isNull(revokedAt)))
      .orderBy(createdAt, sql`rowid`),
  ])
  if (!workspace) throw noSuchWorkspace()
  return rows.map((row) => ({
    email: row.email,
    role: row.role,
    created_at: new Date(row.createdAt).toISOString(),
  }))
}

/**
 * Revokes a membership with its access tokens: at once here, within 60 seconds everywhere. Revoking it again changes
 * nothing.
 *
 * @param email in any case
 * @throws ApiError 404 when it never was one of the workspace's members
 */
export async function revokeMember(
  database: Database,
  { workspaceId, email }: { workspaceId: string; email: string },
  now: Date,
): Promise<void> {
  const [revoked] = await retrying(() =>
    database.orm
      .update(members)
      .set({ revokedAt: sql`coalesce(${members.revokedAt}, ${int(now.getTime())})` })
      .where(and(eq(members.workspaceId, workspaceId), eq(members.email, normalisedEmail(email))))
      .returning({ memberId: members.memberId }),
  )
  if (!revoked) throw new ApiError('not_found', 'The workspace has no such member.')
  forgetMember(revoked.memberId)
}
