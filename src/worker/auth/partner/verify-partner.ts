import type { Caller, Scope } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import { storeLastUse } from '#worker/auth/last-use'
import { isOpen, requireOpen } from '#worker/auth/workspace-state'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { type LivePartnerCredential, livePartnerCredential } from './credentials'
import { openPartnerToken, type PartnerClaims, refusedToken } from './token'
import { claimTokenId, type SettleClaim } from './token-id-claim'

const HEADER = 'X-Auth-Token'

/** Scopes of a partner token (docs/contract.md#partner-endpoints). */
export const PARTNER_SCOPES: readonly Scope[] = ['catalog:read', 'search', 'documents', 'registration']

export const partnerTokenOf = (c: AppContext): string | undefined => c.req.header(HEADER)

/** Writes are recorded under the key ID, because the user (`subject`) is personal data. @throws ApiError 403 */
export const partnerCaller = (
  { kid, workspaceId, databaseBinding, state, allowedOrigins }: LivePartnerCredential,
  subject: string,
  scopes: Iterable<Scope>,
): Caller => ({
  workspaceId,
  databaseBinding,
  state: requireOpen(state),
  actor: `partner:${kid}`,
  scopes: new Set(scopes),
  partner: { kid, subject, allowedOrigins },
})

export interface VerifiedCredential {
  caller: Caller
  /** Absent for an access token. Returns null for a token without a `jti`. @throws ApiError 401 for a replay; 503 */
  claimTokenId?: () => Promise<SettleClaim | null>
}

/**
 * Checks the partner token of a request, but not whether it was used before: see `claimTokenId`. @throws ApiError 401
 */
export async function verifyPartner(c: AppContext): Promise<VerifiedCredential> {
  const token = partnerTokenOf(c)
  if (token === undefined) throw refusedToken('missing')
  const now = new Date()
  const expected = {
    audience: configOf(c.env).partnerAudience,
    findCredential: (kid: string) => livePartnerCredential(c, kid, now),
  }
  const { credential, claims } = await openPartnerToken(token, expected, now)
  if (!isOpen(credential.state)) throw refusedToken('workspace suspended')
  return {
    caller: partnerCaller(credential, claims.sub, PARTNER_SCOPES),
    claimTokenId: () => claimId(c, credential, claims, now),
  }
}

async function claimId(
  c: AppContext,
  credential: LivePartnerCredential,
  { jti, exp }: PartnerClaims,
  now: Date,
): Promise<SettleClaim | null> {
  const { kid } = credential
  const background = {
    waitUntil: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
    report: (warning: string) => logLine({ request_id: c.var.requestId, warning }),
  }
  const guardUnreachable = (cause: unknown): never => {
    throw new ApiError(
      'unavailable',
      'The service temporarily cannot check whether the partner token was used before. Send the request again.',
      { reason: 'partner token: replay guard unreachable', cause },
    )
  }
  const claim =
    jti === undefined ? null : await claimTokenId(c.env, { kid, jti, exp }, now, background).catch(guardUnreachable)
  if (jti !== undefined && claim === null) throw refusedToken('replay')
  storeLastUse(c, 'partner_credentials', kid, credential, now)
  return claim
}
