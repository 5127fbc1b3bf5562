import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ROLES, type Role } from '#shared/access/caller'
import { normalisedEmail } from '#shared/access/email'
import { ApiError } from '#shared/errors/errors'
import { MAX_EMAIL_LENGTH } from '#shared/limits'
import { randomId } from '#worker/crypto/random'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { required, text, timestampSchema } from '#worker/http/endpoint/values'
import { int, rowIf } from '#worker/storage/database'
import { isoTime, type PageRequest } from '#worker/storage/list-page'
import { requireRoom } from '#worker/storage/quotas'
import { members } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'
import { type AdminContext, ifAuthorized, liveAdmins, runAsAdmin } from './admin-context'
import { type Administration, collectionEndpoints } from './collection-endpoints'
import { listLive, mayInsert, purgeRevoked, REVOKED, type RevocableRows, revocation, roomFor } from './revocable-rows'

const NO_EMAIL = 'must be an email address, such as name@clinic.example'

export const newMemberSchema = z.object({
  email: text()
    .min(1, { error: 'is required', abort: true })
    .max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`)
    // The login provider verifies the address. These checks only reject texts that cannot be one.
    .refine((value) => /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value), { error: NO_EMAIL })
    .refine((value) => value.isWellFormed(), { error: NO_EMAIL, params: { code: 'malformed' } })
    .meta({ description: 'Verified email address of the user. Stored in lower case.', format: 'email' }),
  role: z.enum(ROLES, required(`must be one of ${ROLES.join(', ')}`)),
})

const memberRole = {
  email: z.string().meta({ description: 'Email address of the member, in lower case.' }),
  role: z.enum(ROLES),
}

const memberRoleSchema = z.strictObject(memberRole)

const memberSchema = z.strictObject({ ...memberRole, created_at: timestampSchema })

const MEMBER: RevocableRows = {
  table: members,
  id: members.email,
  quota: 'members',
  noun: 'member with this email address',
}

/** Condition in the change itself: if two admins remove each other at the same time, one stays. */
const notTheOnlyAdmin = (admin: AdminContext, email: string): SQL => {
  const otherAdmin = liveAdmins(admin, (row) => ne(row.email, email))
  return sql`(${members.role} <> 'admin' or ${members.revokedAt} is not null or exists ${otherAdmin})`
}

const mustKeepAdmin = ({ memberId }: AdminContext): boolean => memberId !== undefined

const onlyAdmin = (): ApiError =>
  new ApiError('conflict', 'This is the only admin of the workspace. Make another member an admin first.')

/**
 * Adds a member to a workspace, or changes a member's role.
 *
 * @throws ApiError 409 for the only admin and at the limit; as `lostRightsError`
 */
async function addMember(admin: AdminContext, { email, role }: { email: string; role: Role }, now: Date) {
  const { database, workspaceId } = admin
  const { memberId, createdAt, revokedAt } = members
  const row = {
    memberId: randomId('dcs_member_'),
    workspaceId,
    email: normalisedEmail(email),
    role,
    createdAt: now.getTime(),
  }
  // After a revocation, a new membership starts, so that tokens of the old one stay invalid.
  const renewed = (column: typeof memberId | typeof createdAt) =>
    sql`case when ${revokedAt} is null then ${column} else excluded.${sql.identifier(column.name)} end`
  const room = roomFor(admin, MEMBER, row.email)
  const [counts, [member]] = await runAsAdmin(
    admin,
    [
      room.others,
      database.orm
        .insert(members)
        .select(rowIf(members, row, mayInsert(admin, [room])))
        .onConflictDoUpdate({
          target: [members.workspaceId, members.email],
          set: { role, memberId: renewed(memberId), createdAt: renewed(createdAt), revokedAt: null },
          ...(mustKeepAdmin(admin) && role !== 'admin' ? { setWhere: notTheOnlyAdmin(admin, row.email) } : {}),
        })
        .returning({ memberId }),
    ],
    now,
    'adds',
  )
  requireRoom(room, counts)
  if (!member) throw onlyAdmin()
  forgetCached(member.memberId)
  return { email: row.email, role }
}

function listMembers(admin: AdminContext, page: PageRequest) {
  const { email, role, createdAt } = members
  return listLive(admin, members, { email, role, created_at: isoTime(createdAt) }, page)
}

/**
 * Revokes a membership with its access tokens.
 *
 * @throws ApiError 404; 409 for the only admin; as `lostRightsError`
 */
async function revokeMember(admin: AdminContext, email: string, now: Date) {
  const { database, workspaceId } = admin
  const address = normalisedEmail(email)
  const isMember = and(eq(members.workspaceId, workspaceId), eq(members.email, address))
  const onlyAdminStays = mustKeepAdmin(admin) ? notTheOnlyAdmin(admin, address) : undefined
  const [[revocation], [membership]] = await runAsAdmin(
    admin,
    [
      database.orm
        .update(members)
        .set({ revokedAt: sql`coalesce(${members.revokedAt}, ${int(now.getTime())})` })
        .where(and(isMember, ifAuthorized(admin), onlyAdminStays))
        .returning({ memberId: members.memberId }),
      database.orm.select({ memberId: members.memberId }).from(members).where(isMember),
      purgeRevoked(admin, MEMBER),
    ],
    now,
  )
  if (!membership) throw new ApiError('not_found', `The workspace has no ${MEMBER.noun}.`)
  if (!revocation) throw onlyAdmin()
  forgetCached(revocation.memberId)
  return REVOKED
}

const ONLY_ADMIN =
  'Admins can neither remove the only admin of their workspace nor change that role (409); the operator can.'

export const memberEndpoints = <const Base extends string>(administration: Administration<Base, AdminContext>) =>
  collectionEndpoints(administration, {
    segment: 'members',
    idParameter: 'email',
    noun: 'Member',
    create: {
      verb: 'add',
      summary: 'Add a member to the workspace, or give a member another role',
      description:
        'The role is for everyone who logs in with this verified email address, in upper or lower case. A ' +
        '`viewer` reads, an `editor` also writes and turns partner search on or off, an `admin` also ' +
        'manages keys and members. ' +
        ONLY_ADMIN,
      body: newMemberSchema,
      answer: envelopedAs('Member added.', memberRoleSchema),
      run: addMember,
    },
    list: {
      summary: 'List the members of the workspace, oldest first',
      description: 'Returns their email addresses and roles.',
      message: 'Members.',
      itemSchema: memberSchema,
      run: listMembers,
    },
    remove: {
      ...revocation('Revoke a membership and its access tokens', 'Member revoked.', revokeMember, ` ${ONLY_ADMIN}`),
      errors: ['conflict'],
    },
  })
