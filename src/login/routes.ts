import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type * as z from 'zod'
import { normalisedEmail } from '#access/email'
import { ROLE_SCOPES } from '#access/roles'
import { tokenAnswer } from '#auth/token-answer'
import { masterKeysOf } from '#crypto/master-keys'
import { configOf } from '#env'
import { ApiError } from '#errors'
import type { AppContext, AppEnv } from '#http/context'
import { unknownPath } from '#http/errors'
import { noStore } from '#http/no-store'
import { success } from '#http/responses'
import { readJson, validQuery } from '#http/validation'
import { controlDatabase } from '#storage/database'
import { clearCookie, readCookie, writeCookie } from './cookies'
import { exchangeLogin } from './exchange'
import { showFailures } from './failure-page'
import { beginLogin, finishLogin, type RelyingParty } from './log-in'
import { type Membership, membershipsOf } from './memberships'
import { requireSameOrigin } from './same-origin'
import {
  type LoginTokenRequest,
  loginQuerySchema,
  loginTokenRequestSchema,
  type loginTokenResponseSchema,
  type loginWorkspacesSchema,
} from './schemas'
import { endSession, userOfSession } from './sessions'
import { openTransaction, sealTransaction } from './transaction'

const databaseOf = (c: AppContext) => controlDatabase(c.env, c.var.meter)

/** @throws ApiError 404, as for an unknown path, where no provider is configured */
function relyingParty(c: AppContext): RelyingParty {
  const { loginProvider: provider, issuer } = configOf(c.env)
  if (provider === undefined) throw unknownPath('no login provider configured')
  return { provider, issuer }
}

/** Comes before everything else that could refuse a request. */
const requireProvider = createMiddleware<AppEnv>(async (c, next) => {
  relyingParty(c)
  await next()
})

/** A body is needed only to say something with it. */
const readTokenRequest = async (c: AppContext): Promise<LoginTokenRequest> =>
  c.req.header('Content-Type') === undefined ? {} : readJson(c, loginTokenRequestSchema)

/** @throws ApiError 429 for somebody who asks for access tokens all the time */
async function limitTokens(c: AppContext, userId: string): Promise<void> {
  const { success } = await c.env.TOKEN_RATE_LIMIT.limit({ key: userId })
  if (!success) throw new ApiError('rate_limited', 'Too many token requests. Try again later.')
}

const workspaceOf = ({ workspaceId, name, role }: Membership) => ({ workspace_id: workspaceId, name, role })

/** Browser login (decisions, section 13). */
export const loginRoutes = new Hono<AppEnv>({ strict: false })

loginRoutes.get(
  '/oidc/login',
  showFailures,
  noStore,
  requireProvider,
  validQuery(loginQuerySchema),
  async (c) => {
    const party = relyingParty(c)
    const query = c.req.valid('query')
    const begun = await beginLogin(
      party,
      { returnTo: query.return_to, codeChallenge: query.code_challenge, prompt: query.prompt },
      new Date(),
    )
    writeCookie(c, 'login', await sealTransaction(await masterKeysOf(c.env), begun.transaction))
    return c.redirect(begun.location)
  },
)

loginRoutes.get('/oidc/callback', showFailures, noStore, requireProvider, async (c) => {
  const party = relyingParty(c)
  const now = new Date()
  const sealed = readCookie(c, 'login')
  // A login has one end, be it good or bad.
  clearCookie(c, 'login')
  c.header('Referrer-Policy', 'no-referrer')
  const transaction =
    sealed === undefined ? undefined : await openTransaction(await masterKeysOf(c.env), sealed, now)
  const answer = new URL(c.req.url).searchParams
  const { location, session } = await finishLogin(databaseOf(c), party, answer, transaction, now)
  if (session !== undefined) {
    const replaced = readCookie(c, 'session')
    if (replaced !== undefined) await endSession(databaseOf(c), replaced)
    writeCookie(c, 'session', session)
  }
  return c.redirect(location)
})

loginRoutes.post('/session/token', noStore, requireProvider, async (c) => {
  const session = readCookie(c, 'session')
  if (session !== undefined) requireSameOrigin(c)
  const request = await readTokenRequest(c)
  // Without a code there is nothing but the cookie. A code proves itself, and comes from no page.
  if (request.code === undefined) requireSameOrigin(c)
  const { user, chosen, memberships } = await exchangeLogin(databaseOf(c), request, session, new Date())
  await limitTokens(c, user.userId)
  const { workspaceId, memberId, role } = chosen
  const grant = { workspaceId, memberId, userId: user.userId }
  return c.json({
    ...(await tokenAnswer(c, grant, ROLE_SCOPES[role])),
    workspace_id: workspaceId,
    role,
    email: normalisedEmail(user.email),
    workspaces: memberships.map(workspaceOf),
  } satisfies z.output<typeof loginTokenResponseSchema>)
})

loginRoutes.get('/session/workspaces', noStore, requireProvider, async (c) => {
  requireSameOrigin(c)
  const user = await userOfSession(databaseOf(c), readCookie(c, 'session'), new Date())
  const memberships = await membershipsOf(databaseOf(c), user.email)
  return success(c, 'Workspaces.', {
    email: normalisedEmail(user.email),
    items: memberships.map(workspaceOf),
  } satisfies z.output<typeof loginWorkspacesSchema>)
})

loginRoutes.post('/session/logout', noStore, requireProvider, async (c) => {
  requireSameOrigin(c)
  const session = readCookie(c, 'session')
  if (session !== undefined) await endSession(databaseOf(c), session)
  clearCookie(c, 'session')
  return success(c, 'Logged out.', { logged_out: true as const })
})
