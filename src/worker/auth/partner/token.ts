import { compactDecrypt, errors } from 'jose'
import { ApiError, INVALID_TOKEN } from '#shared/errors/errors'
import { parseJsonObject } from '#shared/json/object'
import { MAX_JTI_LENGTH, MAX_PARTNER_TOKEN_SECONDS, PARTNER_CLOCK_TOLERANCE_SECONDS } from '#shared/limits'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'

/** Partner tokens (`x-auth-token`): compact JWEs, `dir` with `A256GCM` (docs/contract.md#partner-tokens). */

/** Most characters of a partner token: several times what its claims need, and quick to decrypt. */
const MAX_PARTNER_TOKEN_LENGTH = 8 * 1024

/** A256GCM (RFC 7518, section 5.3). */
const TOKEN_IV_BYTES = 12
const TOKEN_TAG_BYTES = 16

/** The form of our key IDs. No other text is looked up or cached. */
const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/

export interface PartnerKey {
  key: CryptoKey
  /** `iss`, character by character. */
  issuer: string
}

/** The partner token claims that the service uses. Times are seconds since the epoch. */
export interface PartnerClaims {
  /** The partner's user; personal data. */
  sub: string
  iat: number
  exp: number
  /** Not before; may have a fraction (RFC 7519, section 2). */
  nbf?: number
  jti?: string
}

/** The 401 for a partner token, the same for every failed check. `check` is for the log and contains no secret. */
export const refusedToken = (check: string): ApiError =>
  new ApiError(
    'unauthorized',
    'The partner token is missing, invalid, expired or was used before. Make a new one, and send the request again.',
    { reason: `partner token: ${check}`, ...(check === 'missing' ? {} : { headers: INVALID_TOKEN }) },
  )

function requireThat(holds: boolean, check: string): asserts holds {
  if (!holds) throw refusedToken(check)
}

/** The key ID of a compact JWE (RFC 7516, section 7.1) in the one accepted form. It is not verified yet. */
function readKeyId(token: string): string {
  requireThat(token.length <= MAX_PARTNER_TOKEN_LENGTH, 'form: too long')
  const parts = token.split('.')
  requireThat(parts.length === 5, 'form: not five parts')
  const [header, encryptedKey, iv, ciphertext, tag] = parts.map(decodeCanonicalBase64url)
  if (!header || !encryptedKey || !iv || !ciphertext || !tag) throw refusedToken('form: not base64url')
  requireThat(encryptedKey.byteLength === 0, 'form: encrypted key')
  requireThat(iv.byteLength === TOKEN_IV_BYTES, 'form: initialization vector')
  requireThat(tag.byteLength === TOKEN_TAG_BYTES, 'form: authentication tag')

  const members = parseJsonObject(header)
  if (!members) throw refusedToken('header: not an object with each member once')
  const { alg, enc, kid } = members
  requireThat(alg === 'dir', 'header: alg')
  requireThat(enc === 'A256GCM', 'header: enc')
  requireThat(!Object.hasOwn(members, 'zip'), 'header: zip')
  requireThat(!Object.hasOwn(members, 'crit'), 'header: crit')
  requireThat(typeof kid === 'string' && KEY_ID.test(kid), 'header: kid')
  return kid
}

/** @returns undefined if the key or the integrity tag is wrong */
async function decrypt(token: string, key: CryptoKey): Promise<Uint8Array | undefined> {
  try {
    const { plaintext } = await compactDecrypt(token, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      maxDecompressedLength: 0,
    })
    return plaintext
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.isWellFormed()

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/**
 * Reads the claims of a decrypted token (docs/contract.md#partner-token-claims). Checks their types, `iss` and `aud`.
 */
function readClaims(plaintext: Uint8Array, expected: { issuer: string; audience: string }): PartnerClaims {
  const claims = parseJsonObject(plaintext)
  if (!claims) throw refusedToken('claims: not an object with each member once')
  const { iss, aud, sub, mobile_number: mobileNumber, iat, exp, nbf, jti } = claims
  requireThat(iss === expected.issuer, 'claims: iss')
  // RFC 7519, section 4.1.3. A token with further audiences is rejected.
  const [audience, ...otherAudiences] = Array.isArray(aud) ? aud : [aud]
  requireThat(audience === expected.audience && otherAudiences.length === 0, 'claims: aud')
  requireThat(isText(sub), 'claims: sub')
  requireThat(mobileNumber === undefined || isText(mobileNumber), 'claims: mobile_number')
  requireThat(isWhole(iat), 'claims: iat')
  requireThat(isWhole(exp), 'claims: exp')
  requireThat(nbf === undefined || typeof nbf === 'number', 'claims: nbf')
  const times = { iat, exp, ...(nbf === undefined ? {} : { nbf }) }
  if (jti === undefined) return { sub, ...times }
  requireThat(isText(jti) && [...jti].length <= MAX_JTI_LENGTH, 'claims: jti')
  return { sub, ...times, jti }
}

/** Checks the times of a token against each other and against the clock (docs/contract.md#partner-token-window). */
function requireCurrent({ iat, exp, nbf }: PartnerClaims, now: Date): void {
  const seconds = Math.floor(now.getTime() / 1000)
  const tolerance = PARTNER_CLOCK_TOLERANCE_SECONDS
  requireThat(exp + tolerance > seconds, 'window: expired')
  requireThat(iat - tolerance <= seconds, 'window: issued in the future')
  requireThat(nbf === undefined || nbf - tolerance <= seconds, 'window: not valid yet')
  requireThat(exp + tolerance > iat, 'window: expires before it is issued')
  requireThat(exp - iat <= MAX_PARTNER_TOKEN_SECONDS + tolerance, 'window: too long')
}

/**
 * Checks everything about a partner token except replay: header, key, decryption, claims, window, in this order.
 *
 * @param expected its `findCredential` returns null for an unknown or revoked key ID
 * @throws ApiError 401, with the failed check as its `reason`
 */
export async function openPartnerToken<K extends PartnerKey>(
  token: string,
  expected: { audience: string; findCredential: (kid: string) => Promise<K | null> },
  now: Date,
): Promise<{ credential: K; claims: PartnerClaims }> {
  const credential = await expected.findCredential(readKeyId(token))
  if (credential === null) throw refusedToken('key: unknown or revoked')
  const plaintext = await decrypt(token, credential.key)
  if (plaintext === undefined) throw refusedToken('decryption')
  const claims = readClaims(plaintext, { issuer: credential.issuer, audience: expected.audience })
  requireCurrent(claims, now)
  return { credential, claims }
}
