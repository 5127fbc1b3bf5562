import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { SCOPES, type Scope } from '#shared/access/caller'
import { ApiError, INVALID_TOKEN } from '#shared/errors/errors'
import { ACCESS_TOKEN_SECONDS, PARTNER_SESSION_SECONDS } from '#shared/limits'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { timedCache } from '#worker/storage/timed-cache'
import type { tokenResponseSchema } from './schemas'
import { type SigningKeys, signingKeysOf } from './signing-keys'

/** Cache of access tokens with a verified signature; about 1.5 MB in total. */
const MAX_CACHED_TOKENS = 1000

/** Access tokens: JWTs signed with ES256 (RFC 9068). The service is both issuer and audience. */

const TOKEN_REFUSED = 'The access token is missing, invalid or expired. Get a new one, and send the request again.'

/** The 401 for an invalid access token, the same for every failed check. `reason` goes to the log. */
export const unauthenticated = (reason: string, cause?: unknown): ApiError =>
  new ApiError('unauthorized', TOKEN_REFUSED, { reason, cause, headers: INVALID_TOKEN })

export const tokenMissing = (): ApiError => new ApiError('unauthorized', TOKEN_REFUSED, { reason: 'no bearer token' })

/** The 403 for a valid token without a permission (RFC 6750, section 3.1). */
export const missingScope = (scope: Scope): ApiError =>
  new ApiError('forbidden', `The access token does not have the scope ${scope}, which this request requires.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })

const ALGORITHM = 'ES256'
const TYPE = 'at+jwt'

/** Seconds that `iat` may be in the future: another machine may have issued the token. `exp` has no tolerance. */
const ISSUED_AHEAD_SECONDS = 5

const commonClaims = {
  iss: z.string(),
  aud: z.string(),
  sub: z.string().min(1),
  client_id: z.string().min(1),
  workspace_id: z.string().min(1),
  scope: z.string(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
}

const clientClaimsSchema = z
  .object({
    ...commonClaims,
    /** Private claim: the API key whose revocation ends the token. */
    api_key_id: z.string().min(1),
  })
  // RFC 9068, section 2.2: a grant without a resource owner has the client as its subject.
  .refine((claims) => claims.sub === claims.client_id, { path: ['sub'] })

const partnerClaimsSchema = z
  .object({
    ...commonClaims,
    /** Private claim: the partner credential whose revocation ends the token. */
    partner_kid: z.string().min(1),
  })
  // The credential is the client that the partner registered.
  .refine((claims) => claims.client_id === claims.partner_kid, { path: ['client_id'] })

/** `client_id` of access tokens from a browser login: the service's own pages and commands are the client. */
const LOGIN_CLIENT_ID = 'browser-login'

/** A browser login proves that this user is a member of this workspace. `sub` reveals nothing about the user. */
const memberClaimsSchema = z.object({
  ...commonClaims,
  client_id: z.literal(LOGIN_CLIENT_ID),
  /** Private claim: the membership whose revocation ends the token. */
  member_id: z.string().min(1),
  /** The browser session that ends the token (OpenID Connect Front-Channel Logout 1.0, section 3). */
  sid: z.string().min(1).optional(),
})

export type ClientGrant = Pick<z.output<typeof clientClaimsSchema>, 'workspace_id' | 'client_id' | 'api_key_id'>
type PartnerGrant = Pick<z.output<typeof partnerClaimsSchema>, 'workspace_id' | 'sub' | 'partner_kid'>
export type MemberGrant = Pick<z.output<typeof memberClaimsSchema>, 'workspace_id' | 'sub' | 'member_id' | 'sid'>

/** What an access token proves: its distinguishing claims. */
type Grant = ClientGrant | PartnerGrant | MemberGrant

export type AccessToken = Grant & { scopes: ReadonlySet<Scope> }

/** Copies each claim by name, so that nothing else gets into a token. */
function claimsOf(grant: Grant): JWTPayload {
  const { workspace_id } = grant
  if ('member_id' in grant) {
    return { workspace_id, sub: grant.sub, client_id: LOGIN_CLIENT_ID, member_id: grant.member_id, sid: grant.sid }
  }
  return 'partner_kid' in grant
    ? { workspace_id, sub: grant.sub, client_id: grant.partner_kid, partner_kid: grant.partner_kid }
    : { workspace_id, sub: grant.client_id, client_id: grant.client_id, api_key_id: grant.api_key_id }
}

const lifetimeOf = (grant: Grant): number => ('partner_kid' in grant ? PARTNER_SESSION_SECONDS : ACCESS_TOKEN_SECONDS)

const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** Does not check the grant. `issuer` becomes `iss` and `aud`. */
export function issueAccessToken(
  keys: SigningKeys,
  issuer: string,
  grant: Grant & { scopes: Iterable<Scope> },
  now: Date,
): Promise<string> {
  const issuedAt = epochSeconds(now)
  return new SignJWT({ ...claimsOf(grant), scope: [...grant.scopes].join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keys.signing.kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeOf(grant))
    .setJti(crypto.randomUUID())
    .sign(keys.signing.key)
}

/** The response of a token endpoint (RFC 6749, section 5.1). Does not check the grant. */
export async function tokenAnswer(
  c: AppContext,
  grant: Grant,
  scopes: readonly Scope[],
): Promise<z.output<typeof tokenResponseSchema>> {
  const keys = await signingKeysOf(c.env)
  const token = await issueAccessToken(keys, configOf(c.env).issuer, { ...grant, scopes }, new Date())
  // RFC 6749, section 5.1. Every response has `Cache-Control: no-store`.
  c.header('Pragma', 'no-cache')
  return { access_token: token, token_type: 'Bearer', expires_in: lifetimeOf(grant), scope: scopes.join(' ') }
}

async function verifiedPayload(token: string, keys: SigningKeys, issuer: string, now: Date): Promise<JWTPayload> {
  const keyOf = ({ kid }: { kid?: string }): CryptoKey => {
    const key = kid === undefined ? undefined : keys.verification.get(kid)
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer,
      audience: issuer,
      currentDate: now,
    })
    return payload
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    // The failed check, for the log: names of claims and error codes, and nothing from the token.
    const claim = error instanceof errors.JWTClaimValidationFailed ? ` ${error.claim}` : ''
    throw unauthenticated(`access token: ${error.code}${claim}`, error)
  }
}

function claimsIn(payload: JWTPayload) {
  const programSchema = 'partner_kid' in payload ? partnerClaimsSchema : clientClaimsSchema
  const result = ('member_id' in payload ? memberClaimsSchema : programSchema).safeParse(payload)
  if (result.success) return result.data
  throw unauthenticated(`access token: claim ${String(result.error.issues[0]?.path[0])} missing or malformed`)
}

interface VerifiedToken {
  token: AccessToken
  /** Seconds since the epoch. */
  issuedAt: number
  expiresAt: number
}

async function verify(token: string, keys: SigningKeys, issuer: string, now: Date): Promise<VerifiedToken> {
  const claims = claimsIn(await verifiedPayload(token, keys, issuer, now))
  if (claims.iat > epochSeconds(now) + ISSUED_AHEAD_SECONDS) {
    throw unauthenticated('access token: iat in the future')
  }
  const names = new Set(claims.scope.split(' '))
  const scopes = new Set(SCOPES.filter((scope) => names.has(scope)))
  return { token: { ...claims, scopes }, issuedAt: claims.iat, expiresAt: claims.exp }
}

/** Recently verified tokens by signing keys: verifying a signature takes longer than all other checks. */
const verifiedTokens = new WeakMap<SigningKeys, ReturnType<typeof timedCache<VerifiedToken>>>()

const isCurrent = ({ issuedAt, expiresAt }: VerifiedToken, now: Date): boolean =>
  expiresAt > epochSeconds(now) && issuedAt <= epochSeconds(now) + ISSUED_AHEAD_SECONDS

/**
 * Checks an access token (RFC 9068, section 4), but not its credential; see `verifyBearer`. Unknown scopes grant
 * nothing.
 *
 * @throws ApiError 401
 */
export async function verifyAccessToken(
  token: string,
  keys: SigningKeys,
  issuer: string,
  now: Date,
): Promise<AccessToken> {
  const tokens = verifiedTokens.get(keys) ?? timedCache<VerifiedToken>(ACCESS_TOKEN_SECONDS * 1000, MAX_CACHED_TOKENS)
  verifiedTokens.set(keys, tokens)
  const name = `${issuer} ${token}`
  const before = tokens.get(name)
  if (before !== undefined && isCurrent(before, now)) return before.token
  const verifiedToken = await verify(token, keys, issuer, now)
  tokens.set(name, verifiedToken)
  return verifiedToken.token
}
