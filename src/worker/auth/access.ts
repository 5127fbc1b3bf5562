import { createMiddleware } from 'hono/factory'
import { type Caller, PERSON_PREFIX, ROLE_SCOPES, type Scope } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import {
  type AccessToken,
  type ClientGrant,
  type MemberGrant,
  missingScope,
  tokenMissing,
  unauthenticated,
  verifyAccessToken,
} from '#worker/auth/access-token'
import { storeLastUse } from '#worker/auth/last-use'
import { liveClient, liveMember } from '#worker/auth/live-grants'
import { livePartnerCredential } from '#worker/auth/partner/credentials'
import {
  partnerCaller,
  partnerTokenOf,
  type VerifiedCredential,
  verifyPartner,
} from '#worker/auth/partner/verify-partner'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { requireOpen } from '#worker/auth/workspace-state'
import { configOf } from '#worker/env'
import type { AppContext, AppEnv, LogFields } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import type { Access } from '#worker/http/endpoint/endpoint'
import { limitRate } from '#worker/http/limits/rate-limit'
import { addToLog } from '#worker/http/log'
import type { Database } from '#worker/storage/database'

/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1), whose scheme may be in any case. */
export function bearerToken(c: AppContext): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

/** Limits the scopes of a token to those of its API key. */
async function clientCaller(database: Database, token: ClientGrant & AccessToken, now: Date): Promise<Caller> {
  const client = await liveClient(database, token, now)
  if (client === null) throw unauthenticated('access token: client or API key revoked or unknown')
  const scopes = new Set(client.scopes.filter((scope) => token.scopes.has(scope)))
  const { databaseBinding, state } = client
  return { workspaceId: token.workspace_id, databaseBinding, state: requireOpen(state), actor: token.client_id, scopes }
}

/** Limits a token's scopes to the member's current role, which may be lower than when the token was issued. */
async function memberCaller(database: Database, token: MemberGrant & AccessToken, now: Date): Promise<Caller> {
  const member = await liveMember(database, token, now)
  if (member === null) throw unauthenticated('access token: membership revoked or unknown')
  const scopes = new Set(ROLE_SCOPES[member.role].filter((scope) => token.scopes.has(scope)))
  const { databaseBinding, email, state } = member
  const { workspace_id: workspaceId, member_id: memberId } = token
  const actor = `${PERSON_PREFIX}${email}`
  return { workspaceId, databaseBinding, state: requireOpen(state), actor, scopes, memberId }
}

/** The IDs of a token for the log, so that its rejection can be traced. Its signature is valid. */
function loggedIds(token: AccessToken): LogFields {
  if ('member_id' in token) return { member: token.member_id }
  return 'partner_kid' in token ? { partner: token.partner_kid } : { client: token.client_id, key: token.api_key_id }
}

/** @throws ApiError 401 without a token whose credential is valid; 403 when the workspace is suspended */
async function verifyBearer(c: AppContext): Promise<Caller> {
  const token = bearerToken(c)
  if (token === undefined) throw tokenMissing()
  const now = new Date()
  const keys = await signingKeysOf(c.env)
  const accessToken = await verifyAccessToken(token, keys, configOf(c.env).issuer, now)
  addToLog(c, loggedIds(accessToken))
  const database = controlDatabaseOf(c)
  if ('member_id' in accessToken) return memberCaller(database, accessToken, now)
  if (!('partner_kid' in accessToken)) return clientCaller(database, accessToken, now)
  const credential = await livePartnerCredential(c, accessToken.partner_kid, now)
  if (credential?.workspaceId !== accessToken.workspace_id) {
    throw unauthenticated('access token: partner credential revoked or unknown')
  }
  storeLastUse(c, 'partner_credentials', credential.kid, credential, now)
  return partnerCaller(credential, accessToken.sub, accessToken.scopes)
}

type Verify = (c: AppContext) => Promise<VerifiedCredential>

/** Sets `caller` from the credential, and counts the request against the rates of its workspace and its partner. */
const authenticateBy = (verify: Verify) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { caller, claimTokenId } = await verify(c)
    c.set('caller', caller)
    if (caller.partner !== undefined) {
      // First, so that a request rejected here does not use the workspace's rate.
      await limitRate(c.env.PARTNER_RATE_LIMIT, caller.partner.kid, 'This partner sends too many requests.')
    }
    await limitRate(c.env.WORKSPACE_RATE_LIMIT, caller.workspaceId, 'The workspace sends too many requests.')
    // Last, so that a rejected request does not use up its token.
    const settle = await claimTokenId?.()
    await next()
    await settle?.(c.res.status)
  })

const byBearer: Verify = async (c) => ({ caller: await verifyBearer(c) })

/** An access token exchanged for a partner token is for partner endpoints only. Here it counts as absent. */
const byOwnBearer: Verify = async (c) => {
  const caller = await verifyBearer(c)
  if (caller.partner) throw unauthenticated('access token: belongs to a partner session')
  return { caller }
}

/** @throws ApiError 400 if a request has both an access token and a partner token */
const byPartner: Verify = async (c) => {
  if (c.req.header('Authorization') === undefined || partnerTokenOf(c) === undefined) return verifyPartner(c)
  throw new ApiError('invalid_request', 'Send Authorization or X-Auth-Token, not both.')
}

export const authenticate = authenticateBy(byOwnBearer)

const authenticateWithPartnerToken = authenticateBy((c) =>
  partnerTokenOf(c) === undefined ? byBearer(c) : byPartner(c),
)

const requireScope = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.var.caller.scopes.has(scope)) throw missingScope(scope)
    await next()
  })

export const anyone: Access = { kind: 'anyone', partnerToken: false, errors: [], middlewares: [] }

/** Requires no credential here. The endpoint itself also accepts a client's credentials by HTTP Basic. */
export const clientOrAnyone: Access = { ...anyone, basicClient: true }

/** Access tokens with a scope. A partner token counts as absent, and so does a partner session. */
export const scope = (name: Scope): Access => ({
  kind: 'scope',
  scope: name,
  partnerToken: false,
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  middlewares: [authenticate, requireScope(name)],
})

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
