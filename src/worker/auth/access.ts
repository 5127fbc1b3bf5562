import { createMiddleware } from 'hono/factory'
import type { Scope } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import type { AppContext, AppEnv } from '#worker/http/context'
import type { Access } from '#worker/http/endpoint/endpoint'
import { limitRate } from '#worker/http/sharing/rate-limit'
import { verifyBearer } from './bearer'
import { partnerTokenOf, type VerifiedCredential, verifyPartner } from './partner/verify-partner'
import { missingScope, unauthenticated } from './refusals'

/** Checks the credential of a request. @throws ApiError 401 */
type Verify = (c: AppContext) => Promise<VerifiedCredential>

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
    const { caller, claimTokenId } = await verify(c)
    c.set('caller', caller)
    if (caller.partner !== undefined) {
      // First, so that what is refused here takes nothing of the workspace's rate.
      await limitRate(c.env.PARTNER_RATE_LIMIT, caller.partner.kid, 'This partner sends too many requests.')
    }
    await limitRate(c.env.WORKSPACE_RATE_LIMIT, caller.workspaceId, 'The workspace sends too many requests.')
    // Last, so that a request that is refused before does not use up its token.
    const claim = await claimTokenId?.()
    await next()
    if (!claim) return
    if (isRefusedStatus(c.res.status)) await claim.release()
    else claim.keep()
  })

const byBearer: Verify = async (c) => ({ caller: await verifyBearer(c) })

/** An access token that was issued for a partner token opens the partner endpoints only. It counts as absent here. */
const byOwnBearer: Verify = async (c) => {
  const caller = await verifyBearer(c)
  if (caller.partner) throw unauthenticated('access token: of a partner session')
  return { caller }
}

/** @throws ApiError 400 when a request brings an access token and a partner token */
const byPartner: Verify = async (c) => {
  if (c.req.header('Authorization') === undefined || partnerTokenOf(c) === undefined) return verifyPartner(c)
  throw new ApiError('invalid_request', 'Send Authorization or X-Auth-Token, not both.')
}

/** Accepts access tokens and ignores partner tokens and partner sessions. */
export const authenticate = authenticateBy(byOwnBearer)

const authenticateWithPartnerToken = authenticateBy((c) =>
  partnerTokenOf(c) === undefined ? byBearer(c) : byPartner(c),
)

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

export const partnerToken: Access = {
  kind: 'partner',
  partnerToken: true,
  errors: ['unauthorized', 'rate_limited'],
  middlewares: [authenticateBy(byPartner)],
}
