import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Role } from '#shared/access/caller'
import { normalisedEmail } from '#shared/access/email'
import { ApiError } from '#shared/errors/errors'
import { forgetMember } from '#worker/auth/live-grants'
import { randomId } from '#worker/crypto/random'
import { int, rowIf } from '#worker/storage/database'
import { isoTime, type PageRequest } from '#worker/storage/list-page'
import { members } from '#worker/storage/schema/control'
import { type Authority, changeAs, ifAuthorized, liveAdmins } from './authority'
import { countOthers, listLive, mayInsert, purgeRevoked, type RevocableRows, requireRoom } from './revocable-rows'
import { type MemberRole, REVOKED, type Revocation } from './schemas'

const MEMBER: RevocableRows = {
  table: members,
  id: members.email,
  quota: 'members',
  noun: 'member with this email address',
}

/**
 * Condition: the member is not the only admin of the workspace. It is part of the statement that makes the
 * change, so of two admins who remove each other at the same moment, one stays.
 */
const notTheOnlyAdmin = (authority: Authority, email: string): SQL => {
  const otherAdmin = liveAdmins(authority, (admin) => ne(admin.email, email))
  return sql`(${members.role} <> 'admin' or ${members.revokedAt} is not null or exists ${otherAdmin})`
}

/** Only the operator may remove the last admin. */
const mustKeepAdmin = ({ memberId }: Authority): boolean => memberId !== undefined

const onlyAdmin = (): ApiError =>
  new ApiError('conflict', 'This is the only admin of the workspace. Make another member an admin first.')

/**
 * Adds a member to a workspace, or changes a member's role.
 *
 * @throws ApiError 409 for the only admin, when the workspace must keep one, and for one member too many; as
 *   `authorityLostError`
 */
export async function addMember(
  authority: Authority,
  { email, role }: { email: string; role: Role },
  now: Date,
): Promise<MemberRole> {
  const { database, workspaceId } = authority
  const { memberId, createdAt, revokedAt } = members
  const row = {
    memberId: randomId('dcs_member_'),
    workspaceId,
    email: normalisedEmail(email),
    role,
    createdAt: now.getTime(),
  }
  // After a revocation a new membership begins: tokens of the old one stay invalid.
  const renewed = (column: typeof memberId | typeof createdAt) =>
    sql`case when ${revokedAt} is null then ${column} else excluded.${sql.identifier(column.name)} end`
  const [counts, [member]] = await changeAs(
    authority,
    [
      countOthers(authority, MEMBER, row.email),
      database.orm
        .insert(members)
        .select(rowIf(members, row, mayInsert(authority, MEMBER, row.email)))
        .onConflictDoUpdate({
          target: [members.workspaceId, members.email],
          set: { role, memberId: renewed(memberId), createdAt: renewed(createdAt), revokedAt: null },
          ...(mustKeepAdmin(authority) && role !== 'admin' ? { setWhere: notTheOnlyAdmin(authority, row.email) } : {}),
        })
        .returning({ memberId }),
    ],
    now,
  )
  requireRoom(MEMBER, counts)
  if (!member) throw onlyAdmin()
  forgetMember(member.memberId)
  return { email: row.email, role }
}

/** Lists members as `listLive`. */
export function listMembers(authority: Authority, page: PageRequest) {
  const { email, role, createdAt } = members
  return listLive(authority, members, { email, role, created_at: isoTime(createdAt) }, page)
}

/**
 * Revokes a membership with its access tokens. A second call changes nothing.
 *
 * @throws ApiError 404 when the address is or was no member, as far as is known; 409 for the only admin, when the
 *   workspace must keep one; as `authorityLostError`
 */
export async function revokeMember(authority: Authority, email: string, now: Date): Promise<Revocation> {
  const { database, workspaceId } = authority
  const address = normalisedEmail(email)
  const isMember = and(eq(members.workspaceId, workspaceId), eq(members.email, address))
  const onlyAdminStays = mustKeepAdmin(authority) ? notTheOnlyAdmin(authority, address) : undefined
  const [[revocation], [membership]] = await changeAs(
    authority,
    [
      database.orm
        .update(members)
        .set({ revokedAt: sql`coalesce(${members.revokedAt}, ${int(now.getTime())})` })
        .where(and(isMember, ifAuthorized(authority), onlyAdminStays))
        .returning({ memberId: members.memberId }),
      database.orm.select({ memberId: members.memberId }).from(members).where(isMember),
      purgeRevoked(authority, MEMBER),
    ],
    now,
  )
  if (!membership) throw new ApiError('not_found', `The workspace has no ${MEMBER.noun}.`)
  if (!revocation) throw onlyAdmin()
  forgetMember(revocation.memberId)
  return REVOKED
}
