import { createMiddleware } from 'hono/factory'
import type { Caller, Scope } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import type { AppContext, AppEnv } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { limitRate } from '#worker/http/sharing/rate-limit'
import { verifyBearer } from './bearer'
import type { TokenIdClaim } from './partner/claim-token-id'
import { sentPartnerToken as partnerTokenOf, verifyPartner } from './partner/verify-partner'
import { missingScope, unauthenticated } from './refusals'

/**
 * Checks a credential. Calls `admit` with the caller before it claims the id of a partner token. Returns that claim;
 * null for a credential that may be used again.
 */
type Verify = (c: AppContext, admit: (caller: Caller) => Promise<void>) => Promise<TokenIdClaim | null>

/**
 * Whether an answer refuses its request, so that the partner token may be sent again
 * (docs/contract.md#replay-protection). A 404 says what there is, so that request got in.
 */
const isRefusedStatus = (status: number): boolean => status === 503 || (status >= 400 && status < 500 && status !== 404)

/**
 * Sets `caller` from the credential of the request, and counts the request against the rate of its workspace, and of
 * its partner if it comes from one.
 */
const authenticateBy = (verify: Verify) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const claim = await verify(c, async (caller) => {
      c.set('caller', caller)
      if (caller.partner !== undefined) {
        // First, so that what is refused here takes nothing of the workspace's rate.
        await limitRate(c.env.PARTNER_RATE_LIMIT, caller.partner.kid, 'This partner sends too many requests.')
      }
      await limitRate(c.env.WORKSPACE_RATE_LIMIT, caller.workspaceId, 'The workspace sends too many requests.')
    })
    await next()
    if (claim === null) return
    if (isRefusedStatus(c.res.status)) await claim.release()
    else claim.keep()
  })

const byBearer: Verify = async (c, admit) => {
  await admit(await verifyBearer(c))
  return null
}

/** An access token that was issued for a partner token opens the partner endpoints only. It counts as absent here. */
const byOwnBearer: Verify = async (c, admit) => {
  const caller = await verifyBearer(c)
  if (caller.partner) throw unauthenticated('access token: of a partner session')
  await admit(caller)
  return null
}

/** @throws ApiError 400 when a request brings an access token and a partner token */
function requireOneCredential(c: AppContext): void {
  if (c.req.header('Authorization') === undefined || partnerTokenOf(c) === undefined) return
  throw new ApiError('invalid_request', 'Send Authorization or X-Auth-Token, not both.')
}

const byPartner: Verify = async (c, admit) => {
  requireOneCredential(c)
  return verifyPartner(c, admit)
}

const byBearerOrPartner: Verify = (c, admit) =>
  partnerTokenOf(c) === undefined ? byBearer(c, admit) : byPartner(c, admit)

/** Accepts access tokens and ignores partner tokens and partner sessions. */
export const authenticate = authenticateBy(byOwnBearer)

const authenticateWithPartnerToken = authenticateBy(byBearerOrPartner)

/** Refuses callers without a scope (403). Comes after authentication. */
const requireScope = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope)) throw missingScope(scope)
    await next()
  })

/** No credential needed. */
export const anyone: Access = { kind: 'anyone', partnerToken: false, errors: [], middlewares: [] }

/** No credential needed by these checks; the endpoint itself also takes a client's by HTTP Basic. */
export const clientOrAnyone: Access = { ...anyone, basicClient: true }

/** Access tokens with a scope. A partner token counts as absent, and so does a partner session. */
export const scope = (name: Scope): Access => ({
  kind: 'scope',
  scope: name,
  partnerToken: false,
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  middlewares: [authenticate, requireScope(name)],
})

/** Access tokens with a scope, or partner tokens instead. Sending both is 400. */
export const scopeOrPartnerToken = (name: Scope): Access => ({
  ...scope(name),
  partnerToken: true,
  middlewares: [authenticateWithPartnerToken, requireScope(name)],
})

/** Partner tokens only. */
export const partnerToken: Access = {
  kind: 'partner',
  partnerToken: true,
  errors: ['unauthorized', 'rate_limited'],
  middlewares: [authenticateBy(byPartner)],
}
