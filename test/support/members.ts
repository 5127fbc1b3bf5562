import { env } from 'cloudflare:workers'
import { ROLE_SCOPES, type Role } from '#shared/access/caller'
import { issueAccessToken } from '#worker/auth/access-token'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { callOperator } from './credentials'
import { bodyFrom } from './service'

export const EMAIL = 'asha@clinic.example'

/**
 * Adds a member, or gives a member another role.
 *
 * @returns the ID of the membership
 */
export async function addMember(workspaceId: string, role: Role, email = EMAIL): Promise<string> {
  await bodyFrom(callOperator(`/workspaces/${workspaceId}/members`, { email, role }))
  const row = await env.DB.prepare('select member_id from members where workspace_id = ? and email = lower(?)')
    .bind(workspaceId, email)
    .first<{ member_id: string }>()
  return row!.member_id
}

/** An access token as after a login. */
export async function memberToken(workspaceId: string, memberId: string, role: Role): Promise<string> {
  const grant = { workspace_id: workspaceId, member_id: memberId, sub: 'a-user', scopes: ROLE_SCOPES[role] }
  return issueAccessToken(await signingKeysOf(env), env.ISSUER, grant, new Date())
}

/** A new member. @returns an access token as after a login */
export const newMember = async (workspaceId: string, role: Role, email?: string): Promise<string> =>
  memberToken(workspaceId, await addMember(workspaceId, role, email), role)
