import type { Database } from '#worker/storage/database'
import { redeemCode, userOfCode } from './codes'
import { chooseMembership, membershipsOf } from './memberships'
import type { LoginTokenRequest } from './schemas'
import { type User, userOfSession } from './sessions'

/**
 * Finds the user and the workspace of a session or a one-time code. A code is used up last, so that a client
 * that must choose a workspace first can send it again.
 *
 * @param request with the code and its verifier, or without
 * @param session secret of the browser's session, if it sent one; ignored if there is a code
 * @throws ApiError 401 for a bad session or code; 403 for a person who is not a member at all or not of that
 *   workspace; 400 when a workspace must be chosen
 */
export async function exchangeLogin(
  database: Database,
  request: LoginTokenRequest,
  session: string | undefined,
  now: Date,
) {
  const { code, code_verifier: codeVerifier, workspace_id: workspaceId } = request
  const user: User & { sessionId?: string } =
    code !== undefined && codeVerifier !== undefined
      ? await userOfCode(database, { code, codeVerifier }, now)
      : await userOfSession(database, session, now)
  const memberships = await membershipsOf(database, user.email)
  const chosen = chooseMembership(memberships, workspaceId)
  if (code !== undefined) await redeemCode(database, code)
  return { user, chosen, memberships }
}
