import type { Database } from '#storage/database'
import { redeemCode, userOfCode } from './codes'
import { chooseMembership, type Membership, membershipsOf } from './memberships'
import type { LoginTokenRequest } from './schemas'
import { type User, userOfSession } from './sessions'

/** What a login proves, and to which of its workspaces an access token is to be given. */
export interface LoggedIn {
  user: User
  chosen: Membership
  memberships: readonly Membership[]
}

/**
 * Finds out what access token a session or a one-time code is good for. A code is used up once nothing else stands in the
 * way: whoever must choose a workspace first can use it again.
 *
 * @param request with the code and its verifier, or without
 * @param session secret of the browser's session, if it sent one; not looked at where there is a code
 * @throws ApiError 401 for a bad session or code; 403 for somebody who is no member, or not of that workspace; 400 where a
 *   workspace must be chosen
 */
export async function exchangeLogin(
  database: Database,
  request: LoginTokenRequest,
  session: string | undefined,
  now: Date,
): Promise<LoggedIn> {
  const { code, code_verifier: codeVerifier, workspace_id: workspaceId } = request
  const user =
    code !== undefined && codeVerifier !== undefined
      ? await userOfCode(database, { code, codeVerifier }, now)
      : await userOfSession(database, session, now)
  const memberships = await membershipsOf(database, user.email)
  const chosen = chooseMembership(memberships, workspaceId)
  if (code !== undefined) await redeemCode(database, code)
  return { user, chosen, memberships }
}
