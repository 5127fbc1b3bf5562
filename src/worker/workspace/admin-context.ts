import { and, eq, exists, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import { alias } from 'drizzle-orm/sqlite-core'
import { SETTABLE_STATES, type WorkspaceState } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import { missingScope, unauthenticated } from '#worker/auth/access-token'
import { liveMember } from '#worker/auth/live-grants'
import { isOpen, OPEN_STATES } from '#worker/auth/workspace-state'
import type { Database } from '#worker/storage/database'
import { beingErased, suspended } from '#worker/storage/placement/workspace-database'
import { members, workspaces } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'

export const noSuchWorkspace = (): ApiError => new ApiError('not_found', 'There is no workspace with this ID.')

/** Condition: the workspace exists. An erased one has no keys and members, and must not get new ones. */
export const isThere = (workspaceId: string) =>
  and(eq(workspaces.workspaceId, workspaceId), ne(workspaces.state, 'erased'))

/** The admin or operator who changes keys and members of a workspace. */
export interface AdminContext {
  /** The control database. */
  database: Database
  workspaceId: string
  /** The membership of the admin; absent for the operator, who is not a member. */
  memberId?: string
  /** `operator`, or the admin as `Caller` names callers. Stored with every key that is created. */
  actor: string
}

const admins = alias(members, 'admins')

/** The current admins of a workspace that match a condition: a query for `exists`. */
export const liveAdmins = ({ database, workspaceId }: AdminContext, which: (table: typeof admins) => SQL) =>
  database.orm
    .select({ memberId: admins.memberId })
    .from(admins)
    .where(and(eq(admins.workspaceId, workspaceId), which(admins), eq(admins.role, 'admin'), isNull(admins.revokedAt)))

/** The kind of a change. Nothing is added to a workspace whose erasure has begun. */
type Effect = 'adds' | 'other'

/** The workspace states in which a change is allowed. */
function statesFor({ memberId }: AdminContext, effect: Effect): WorkspaceState[] {
  if (memberId !== undefined) return OPEN_STATES
  return effect === 'adds' ? [...SETTABLE_STATES] : [...SETTABLE_STATES, 'erasing']
}

/**
 * The workspace, if the operator or the admin may change it now. Each change checks this, because authentication may
 * have cached an old membership or workspace state.
 */
function adminQuery(admin: AdminContext, effect: Effect) {
  const { database, workspaceId, memberId } = admin
  const isAdmin = memberId === undefined ? undefined : exists(liveAdmins(admin, (row) => eq(row.memberId, memberId)))
  return database.orm
    .select({ workspaceId: workspaces.workspaceId })
    .from(workspaces)
    .where(and(eq(workspaces.workspaceId, workspaceId), inArray(workspaces.state, statesFor(admin, effect)), isAdmin))
}

export const ifAuthorized = (admin: AdminContext, effect: Effect = 'other'): SQL => exists(adminQuery(admin, effect))

/**
 * The error for a caller who may no longer change the workspace. For the operator: 404, or 409 during an erasure. For a
 * user who is no longer an admin, or whose workspace is suspended: 401 or 403.
 */
async function lostRightsError({ database, workspaceId, memberId }: AdminContext, now: Date): Promise<ApiError> {
  if (memberId === undefined) {
    const [erasing] = await database.orm.select().from(workspaces).where(isThere(workspaceId))
    return erasing === undefined ? noSuchWorkspace() : beingErased()
  }
  forgetCached(memberId)
  const member = await liveMember(database, { workspace_id: workspaceId, member_id: memberId }, now)
  if (member === null) return unauthenticated('access token: membership revoked or unknown')
  return isOpen(member.state) ? missingScope('workspace:admin') : suspended()
}

/**
 * Runs a change in one transaction, if the operator or the admin still may. Every write in it must have the condition
 * `ifAuthorized` for the same kind of change.
 *
 * @throws ApiError as `lostRightsError`
 */
export async function runAsAdmin<const Statements extends readonly BatchItem<'sqlite'>[]>(
  admin: AdminContext,
  statements: Statements,
  now: Date,
  effect: Effect = 'other',
): Promise<BatchResponse<Statements>> {
  const { database } = admin
  const [[grant], ...results] = await database.retry(() =>
    database.orm.batch([adminQuery(admin, effect), ...statements]),
  )
  if (!grant) throw await lostRightsError(admin, now)
  // Rest elements keep number and order of the statements, but not their types.
  return results as unknown as BatchResponse<Statements>
}

/** Checks the rights of an admin before a change in another database. @throws ApiError as `lostRightsError` */
export async function requireAdmin(admin: AdminContext, now: Date): Promise<void> {
  const [grant] = await adminQuery(admin, 'other')
  if (!grant) throw await lostRightsError(admin, now)
}
