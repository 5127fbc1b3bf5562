import { parseJsonObject } from '#shared/json/object'
import { MAX_JTI_LENGTH, MAX_PARTNER_TOKEN_SECONDS, PARTNER_CLOCK_TOLERANCE_SECONDS } from '#shared/limits'

/**
 * What a check of a partner token found. The error names the failed check, for the log only: the client never sees it.
 */
export type CheckResult<T> = { ok: true; value: T } | Failure

interface Failure {
  ok: false
  error: string
}

export const success = <T>(value: T): CheckResult<T> => ({ ok: true, value })

export const failure = (error: string): Failure => ({ ok: false, error })

/** The claims of a partner token that the service uses. Times are seconds since the epoch. */
export interface PartnerClaims {
  /** The partner's user; personal data. */
  sub: string
  iat: number
  exp: number
  jti?: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.isWellFormed()

/**
 * Reads the claims of a decrypted token (docs/contract.md#partner-token-claims). Checks that each is present
 * and of its type, and checks `iss` and `aud`. For the times see `windowError`.
 */
export function readClaims(
  plaintext: Uint8Array,
  expected: { issuer: string; audience: string },
): CheckResult<PartnerClaims> {
  const claims = parseJsonObject(plaintext)
  if (!claims) return failure('claims: not an object with each member once')
  const { iss, aud, sub, mobile_number: mobileNumber, iat, exp, jti } = claims
  if (iss !== expected.issuer) return failure('claims: iss')
  // One string. A list of audiences, which RFC 7519 allows, is refused.
  if (aud !== expected.audience) return failure('claims: aud')
  if (!isText(sub)) return failure('claims: sub')
  if (mobileNumber !== undefined && !isText(mobileNumber)) return failure('claims: mobile_number')
  if (!isWhole(iat)) return failure('claims: iat')
  if (!isWhole(exp)) return failure('claims: exp')
  if (jti === undefined) return success({ sub, iat, exp })
  if (!isText(jti) || [...jti].length > MAX_JTI_LENGTH) return failure('claims: jti')
  return success({ sub, iat, exp, jti })
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/**
 * Checks the times of a token against each other and against the clock, with the same tolerance each time
 * (docs/contract.md#partner-token-window). Returns undefined when they are right.
 */
export function windowError({ iat, exp }: PartnerClaims, now: Date): string | undefined {
  const seconds = Math.floor(now.getTime() / 1000)
  const tolerance = PARTNER_CLOCK_TOLERANCE_SECONDS
  if (exp + tolerance <= seconds) return 'window: expired'
  if (iat - tolerance > seconds) return 'window: issued in the future'
  if (exp + tolerance <= iat) return 'window: expires before it is issued'
  if (exp - iat > MAX_PARTNER_TOKEN_SECONDS + tolerance) return 'window: too long'
  return undefined
}
