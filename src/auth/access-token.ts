import { errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { ACCESS_TOKEN_SECONDS } from '../limits'
import { SCOPES, type Scope } from './caller'
import { unauthenticated } from './refusals'
import type { SigningKeys } from './signing-keys'

/**
 * Access tokens: JWTs signed with ES256 (RFC 9068; decisions, section 8). The service is both issuer and audience.
 */

const ALGORITHM = 'ES256'
const TYPE = 'at+jwt'

/**
 * Seconds by which `iat` may lie ahead of this machine's clock, because another machine may have issued the token a
 * moment ago. `exp` has no tolerance.
 */
const ISSUED_AHEAD_SECONDS = 5

/** What client credentials prove: this client acts on this workspace, by this API key. */
export interface Grant {
  clientId: string
  workspaceId: string
  apiKeyId: string
}

export interface AccessToken extends Grant {
  scopes: ReadonlySet<Scope>
}

const claimsSchema = z
  .object({
    iss: z.string(),
    aud: z.string(),
    sub: z.string().min(1),
    client_id: z.string().min(1),
    workspace_id: z.string().min(1),
    /** Private claim: the API key whose revocation ends the token. */
    api_key_id: z.string().min(1),
    scope: z.string(),
    iat: z.int(),
    exp: z.int(),
    jti: z.string().min(1),
  })
  // RFC 9068, section 2.2: a grant without a resource owner has the client as its subject.
  .refine((claims) => claims.sub === claims.client_id, { path: ['sub'] })

const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/**
 * Issues an access token that is valid for `ACCESS_TOKEN_SECONDS`. The grant is not checked here.
 *
 * @param issuer becomes `iss` and `aud`
 */
export function issueAccessToken(
  keys: SigningKeys,
  issuer: string,
  grant: Grant & { scopes: Iterable<Scope> },
  now: Date,
): Promise<string> {
  const issuedAt = epochSeconds(now)
  return new SignJWT({
    client_id: grant.clientId,
    workspace_id: grant.workspaceId,
    api_key_id: grant.apiKeyId,
    scope: [...grant.scopes].join(' '),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keys.signing.kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(grant.clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .setJti(crypto.randomUUID())
    .sign(keys.signing.key)
}

/** For the log: which check failed. Names of claims and error codes only, nothing out of the token. */
function reasonOf(error: errors.JOSEError): string {
  const claim = error instanceof errors.JWTClaimValidationFailed ? ` ${error.claim}` : ''
  return `access token: ${error.code}${claim}`
}

async function verifiedPayload(
  token: string,
  keys: SigningKeys,
  issuer: string,
  now: Date,
): Promise<unknown> {
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
    if (error instanceof errors.JOSEError) throw unauthenticated(reasonOf(error), error)
    throw error
  }
}

/**
 * Checks an access token as RFC 9068, section 4 has it: key, algorithm, signature, type, issuer, audience, time, and
 * that every claim is present and of its type. Scopes that the service does not know grant nothing.
 *
 * Whether the API key and the client are still valid is **not** checked; see `live-credentials.ts`.
 *
 * @throws ApiError 401, with the failed check as its `reason`
 */
export async function verifyAccessToken(
  token: string,
  keys: SigningKeys,
  issuer: string,
  now: Date,
): Promise<AccessToken> {
  const payload = await verifiedPayload(token, keys, issuer, now)
  const result = claimsSchema.safeParse(payload)
  if (!result.success) {
    throw unauthenticated(
      `access token: claim ${String(result.error.issues[0]?.path[0])} missing or malformed`,
    )
  }
  const claims = result.data
  if (claims.iat > epochSeconds(now) + ISSUED_AHEAD_SECONDS) {
    throw unauthenticated('access token: iat in the future')
  }
  const sent = new Set(claims.scope.split(' '))
  return {
    clientId: claims.client_id,
    workspaceId: claims.workspace_id,
    apiKeyId: claims.api_key_id,
    scopes: new Set(SCOPES.filter((scope) => sent.has(scope))),
  }
}
