import * as z from 'zod'
import { ROLE_SCOPES } from '#shared/access/caller'
import { normalisedEmail } from '#shared/access/email'
import { LOGIN_CODE_SECONDS, SESSION_SECONDS } from '#shared/limits'
import { tokenAnswer } from '#worker/auth/access-token'
import { sha256Hex } from '#worker/crypto/hash'
import { optionalJson } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { bare, envelopedAs, redirect } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { limitLookups, limitRate } from '#worker/http/limits/rate-limit'
import { timedCache } from '#worker/storage/timed-cache'
import { redeemCode, userOfCode } from './codes'
import { clearCookie, pendingCookie, readCookie, transactionCookie, writeCookie } from './cookies'
import { allowLogin, beginLogin, finishLogin } from './log-in'
import { chooseMembership, type Membership, membershipsOf } from './memberships'
import { ALLOW_PATH, confirmationPage, showFailures } from './pages'
import {
  callbackQuerySchema,
  type LoginTokenRequest,
  loggedOutSchema,
  loginQuerySchema,
  loginTokenRequestSchema,
  loginTokenResponseSchema,
  loginWorkspacesSchema,
} from './schemas'
import { loginConfigured, refuseOtherSites, relyingParty, requireSameOrigin, sameOriginCookie } from './session-access'
import { endSession, type User, userOfSession } from './sessions'

/** Sessions seen by this isolate in the last hour: many users of a hospital share one address. */
const foundSessions = timedCache<true>(3600 * 1000, 10_000)

/** @throws ApiError 401 as `userOfSession`; 429 for an address that sends too many distinct cookies */
async function sessionUser(c: AppContext, secret: string | undefined, now: Date) {
  const wasFound = secret !== undefined && foundSessions.get(await sha256Hex(secret))
  if (secret !== undefined && !wasFound) await limitLookups(c, 'session')
  const user = await userOfSession(controlDatabaseOf(c), secret, now)
  foundSessions.set(user.sessionId, true)
  return user
}

async function endOwnSession(c: AppContext, secret: string): Promise<void> {
  await limitLookups(c, 'session')
  await endSession(controlDatabaseOf(c), secret)
}

/**
 * The user and the workspace of a session or a one-time code. Redeems the code last, because a client may first have to
 * choose a workspace.
 *
 * @param session secret of the browser session; ignored if there is a code
 * @throws ApiError 401 for an invalid session or code; 403; 400 if a workspace must be chosen; 429
 */
async function exchangeLogin(c: AppContext, request: LoginTokenRequest, session: string | undefined, now: Date) {
  const database = controlDatabaseOf(c)
  const { code, code_verifier: codeVerifier, workspace_id: workspaceId } = request
  if (code !== undefined) await limitLookups(c, 'code')
  const user: User & { sessionId?: string } =
    code !== undefined && codeVerifier !== undefined
      ? await userOfCode(database, { code, codeVerifier }, now)
      : await sessionUser(c, session, now)
  const memberships = await membershipsOf(database, user.email)
  const membership = chooseMembership(memberships, workspaceId)
  if (code !== undefined) await redeemCode(database, code)
  return { user, membership, memberships }
}

/** Browser login (OpenID Connect Core 1.0, section 3.1) and its sessions. */

const login = { tag: 'Browser login' } as const

/** Browsers get errors as pages. */
const asPages = { before: [showFailures], errorPages: true } as const

const WITHOUT_PROVIDER = 'Returns 404 if no login provider is configured.'

const workspaceOf = ({ workspaceId, name, role }: Membership) => ({ workspace_id: workspaceId, name, role })

const startLogin = endpoint(
  {
    ...login,
    method: 'get',
    path: '/api/v1/auth/oidc/login',
    operationId: 'beginLogin',
    summary: 'Send the browser to the login provider',
    description:
      'OpenID Connect: authorization code with PKCE (S256), `state` and `nonce`. A command-line client opens this ' +
      `address in the user's browser with a loopback \`return_to\` and a \`code_challenge\`. ${WITHOUT_PROVIDER}`,
    access: loginConfigured,
    query: loginQuerySchema,
    answer: redirect('Redirects to the login provider.'),
    errors: ['forbidden'],
    ...asPages,
  },
  async ({ c, query, now }) => {
    if (query.code_challenge !== undefined) refuseOtherSites(c)
    const { location, transaction } = await beginLogin(relyingParty(c), query, now)
    await transactionCookie.write(c, transaction)
    return location
  },
)

/** Limits the logins of a user, so that no one fills the tables. @throws ApiError 429 */
const limitLogins = (c: AppContext, userId: string): Promise<void> =>
  limitRate(c.env.TOKEN_RATE_LIMIT, userId, 'Too many logins and token requests.')

const finish = endpoint(
  {
    ...login,
    method: 'get',
    path: '/api/v1/auth/oidc/callback',
    operationId: 'finishLogin',
    summary: 'Receive the browser from the login provider',
    description:
      'Logs in a user whose verified email address is a member of a workspace. For a page of this service the ' +
      `browser gets a session cookie of ${SESSION_SECONDS / 3600} hours; for a loopback address it shows a page ` +
      `(200) on which the user allows the login. ${WITHOUT_PROVIDER}`,
    access: loginConfigured,
    query: callbackQuerySchema,
    // Providers add their own parameters.
    unknownParameters: 'ignored',
    answer: { ...redirect('Redirects to `return_to`.'), content: { 'text/html': z.string() } },
    errors: ['unauthorized', 'forbidden', 'rate_limited'],
    ...asPages,
    writes: true,
  },
  async ({ c, now }) => {
    const party = relyingParty(c)
    const database = controlDatabaseOf(c)
    c.header('Referrer-Policy', 'no-referrer')
    // A login can be finished once, even if it fails.
    const transaction = await transactionCookie.take(c, now)
    const answer = new URL(c.req.url).searchParams
    const result = await finishLogin(database, party, answer, transaction, (userId) => limitLogins(c, userId), now)
    if ('pending' in result) {
      await pendingCookie.write(c, result.pending)
      return confirmationPage(c, result.pending)
    }
    const oldSession = readCookie(c, 'session')
    if (oldSession !== undefined) await endOwnSession(c, oldSession)
    writeCookie(c, 'session', result.session)
    return result.location
  },
)

const allow = endpoint(
  {
    ...login,
    method: 'post',
    path: ALLOW_PATH,
    operationId: 'allowLogin',
    summary: 'Allow a command-line client to log in',
    description:
      'For the page that the callback shows. Sends the browser to the loopback address, with a one-time `code` of ' +
      `${LOGIN_CODE_SECONDS} seconds in the query. ${WITHOUT_PROVIDER}`,
    access: loginConfigured,
    answer: redirect('Redirects to the loopback address.'),
    errors: ['forbidden'],
    ...asPages,
    writes: true,
  },
  async ({ c, now }) => {
    requireSameOrigin(c)
    c.header('Referrer-Policy', 'no-referrer')
    const pending = await pendingCookie.take(c, now)
    return allowLogin(controlDatabaseOf(c), relyingParty(c), pending, now)
  },
)

const exchange = endpoint(
  {
    ...login,
    method: 'post',
    path: '/api/v1/auth/session/token',
    operationId: 'exchangeLogin',
    summary: 'Exchange a login for an access token of one hour',
    description:
      'With the session cookie: for pages of this service only, which `Origin` and `Sec-Fetch-Site` must show; no ' +
      'body is needed. Without it: `code` and `code_verifier` of a command-line login. A member of several ' +
      `workspaces names one; otherwise the response is 400 with the choices. ${WITHOUT_PROVIDER}`,
    access: sameOriginCookie,
    body: optionalJson(loginTokenRequestSchema),
    answer: bare(loginTokenResponseSchema),
    errors: ['rate_limited'],
    writes: true,
  },
  async ({ c, body, now }) => {
    const cookie = readCookie(c, 'session')
    // Without a code, the cookie authenticates, so the request must come from a page of this service. A command-line
    // client sends a code and needs no such check.
    if (body.code === undefined) requireSameOrigin(c)
    const { user, membership, memberships } = await exchangeLogin(c, body, cookie, now)
    await limitLogins(c, user.userId)
    const { workspaceId, memberId, role } = membership
    const grant = { workspace_id: workspaceId, member_id: memberId, sub: user.userId, sid: user.sessionId }
    return {
      ...(await tokenAnswer(c, grant, ROLE_SCOPES[role])),
      workspace_id: workspaceId,
      role,
      email: normalisedEmail(user.email),
      workspaces: memberships.map(workspaceOf),
    }
  },
)

const listOwnWorkspaces = endpoint(
  {
    ...login,
    method: 'get',
    path: '/api/v1/auth/session/workspaces',
    operationId: 'listOwnWorkspaces',
    summary: 'Get who is logged in, and in which workspaces',
    description: `For pages of this service only, which \`Sec-Fetch-Site\` must show. ${WITHOUT_PROVIDER}`,
    access: sameOriginCookie,
    answer: envelopedAs('Workspaces.', loginWorkspacesSchema),
    errors: ['rate_limited'],
  },
  async ({ c, now }) => {
    requireSameOrigin(c)
    const database = controlDatabaseOf(c)
    const user = await sessionUser(c, readCookie(c, 'session'), now)
    const memberships = await membershipsOf(database, user.email)
    return { email: normalisedEmail(user.email), items: memberships.map(workspaceOf) }
  },
)

const logOut = endpoint(
  {
    ...login,
    method: 'post',
    path: '/api/v1/auth/session/logout',
    operationId: 'logOut',
    summary: 'End the session of the browser',
    description:
      'For pages of this service only. Clears the cookie; without a session it changes nothing. Access tokens of the ' +
      `session stop working within 60 seconds. ${WITHOUT_PROVIDER}`,
    access: loginConfigured,
    answer: envelopedAs('Logged out.', loggedOutSchema),
    errors: ['forbidden', 'rate_limited'],
    writes: true,
  },
  async ({ c }) => {
    requireSameOrigin(c)
    const cookie = readCookie(c, 'session')
    if (cookie !== undefined) await endOwnSession(c, cookie)
    clearCookie(c, 'session')
    return { logged_out: true as const }
  },
)

export const loginEndpoints = [startLogin, finish, allow, exchange, listOwnWorkspaces, logOut] as const
