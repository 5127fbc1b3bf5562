import { and, eq, isNull } from 'drizzle-orm'
import { normalisedEmail } from '#shared/access/email'
import { ApiError, invalidField } from '#shared/errors/errors'
import { isOpen, requireOpen } from '#worker/auth/workspace-state'
import type { Database } from '#worker/storage/database'
import { members, workspaces } from '#worker/storage/schema/control'

/** The memberships in open workspaces, by ID: at least one. @throws ApiError 403 if there is none */
export async function membershipsOf({ orm }: Database, email: string) {
  const all = await orm
    .select({
      memberId: members.memberId,
      workspaceId: members.workspaceId,
      name: workspaces.name,
      role: members.role,
      state: workspaces.state,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.workspaceId, members.workspaceId))
    .where(and(eq(members.email, normalisedEmail(email)), isNull(members.revokedAt)))
    .orderBy(members.workspaceId)
  const [first] = all
  if (first === undefined) {
    throw new ApiError(
      'forbidden',
      'The account is not a member of any workspace. Ask an admin of a workspace to add its email address.',
    )
  }
  const memberships = all.filter(({ state }) => isOpen(state))
  if (memberships.length === 0) requireOpen(first.state)
  return memberships
}

export type Membership = Awaited<ReturnType<typeof membershipsOf>>[number]

/** @throws ApiError 403 for a workspace that is not among them; 400 with the choices if none was named */
export function chooseMembership(memberships: readonly Membership[], workspaceId: string | undefined): Membership {
  if (workspaceId !== undefined) {
    const match = memberships.find((membership) => membership.workspaceId === workspaceId)
    if (!match)
      throw new ApiError(
        'forbidden',
        'You are not a member of this workspace. Ask one of its admins to add your email address.',
      )
    return match
  }
  const [only, ...others] = memberships
  if (only && others.length === 0) return only
  const choices = memberships.map((membership) => membership.workspaceId).join(', ')
  throw invalidField(
    'workspace_id',
    'required',
    `is required because you are a member of several workspaces; send one of: ${choices}`,
  )
}
