import { createMiddleware } from 'hono/factory'
import type { Caller, Scope } from '#access/caller'
import { partnerToken, verifyPartner } from '#auth/partner/caller'
import { ApiError } from '#errors'
import type { AppContext, AppEnv } from '#http/context'
import { verifyBearer } from './bearer'
import { missingScope } from './refusals'

/**
 * Sets `caller` from the credential of the request, and counts the request against its workspace. Another kind of
 * credential is a function beside `verifyBearer` that returns a `Caller`.
 *
 * @throws ApiError 401 without a valid credential; 429 over the workspace's rate
 */
const authenticateBy = (verify: (c: AppContext) => Promise<Caller>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const caller = await verify(c)
    c.set('caller', caller)
    const { success } = await c.env.WORKSPACE_RATE_LIMIT.limit({ key: caller.workspaceId })
    if (!success)
      throw new ApiError('rate_limited', 'The workspace sends too many requests. Try again later.')
    await next()
  })

/** @throws ApiError 400 when a request brings an access token and a partner token */
function requireOneCredential(c: AppContext): void {
  if (c.req.header('Authorization') === undefined || partnerToken(c) === undefined) return
  throw new ApiError('invalid_request', 'Send Authorization or X-Auth-Token, not both.')
}

async function verifyBearerOrPartner(c: AppContext): Promise<Caller> {
  requireOneCredential(c)
  return partnerToken(c) === undefined ? verifyBearer(c) : verifyPartner(c)
}

async function verifyPartnerAlone(c: AppContext): Promise<Caller> {
  requireOneCredential(c)
  return verifyPartner(c)
}

/** Takes an access token; a partner token is as if it were not there. */
export const authenticate = authenticateBy(verifyBearer)

/** Takes an access token or, in its place, a partner token (decisions, section 9): 400 for both. */
export const authenticateWithPartnerToken = authenticateBy(verifyBearerOrPartner)

/** Takes a partner token only. */
export const authenticateByPartnerToken = authenticateBy(verifyPartnerAlone)

/** Every way to authenticate, and whether it takes partner tokens. */
const TAKES_PARTNER_TOKEN: ReadonlyMap<unknown, boolean> = new Map([
  [authenticate, false],
  [authenticateWithPartnerToken, true],
  [authenticateByPartnerToken, true],
])

/**
 * Whether a request takes a partner token.
 *
 * @param handlers what the router matches with it, in order: the first that authenticates is the one that does
 */
export const takesPartnerToken = (handlers: readonly unknown[]): boolean =>
  TAKES_PARTNER_TOKEN.get(handlers.find((handler) => TAKES_PARTNER_TOKEN.has(handler))) ?? false

/**
 * Lets only callers with a scope pass. Comes after `authenticate`.
 *
 * @throws ApiError 403 naming the scope
 */
export const requireScope = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope)) throw missingScope(scope)
    await next()
  })
