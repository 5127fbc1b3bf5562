import { compactDecrypt, errors } from 'jose'
import { parseJsonObject } from '#shared/json/object'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'
import { type CheckResult, failure, type PartnerClaims, readClaims, success, windowError } from './claims'

/** Characters of a partner token: several times what its claims need, and little work to decrypt. */
const MAX_PARTNER_TOKEN_LENGTH = 8 * 1024

/** A256GCM (RFC 7518, section 5.3). */
const TOKEN_IV_BYTES = 12
const TOKEN_TAG_BYTES = 16

/** The form of our key ids, so that no other text is looked up or cached. */
const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Reads the header of a compact JWE (RFC 7516, section 7.1) without its key. Checks that the token has the
 * one accepted form: `dir`, `A256GCM`, uncompressed, in canonical base64url.
 *
 * Nothing is proven yet. Other members are ignored.
 */
function readProtectedHeader(token: string): CheckResult<{ kid: string }> {
  if (token.length > MAX_PARTNER_TOKEN_LENGTH) return failure('form: too long')
  const parts = token.split('.')
  if (parts.length !== 5) return failure('form: not five parts')
  const [header, encryptedKey, iv, ciphertext, tag] = parts.map(decodeCanonicalBase64url)
  if (!header || !encryptedKey || !iv || !ciphertext || !tag) return failure('form: not base64url')
  if (encryptedKey.byteLength !== 0) return failure('form: encrypted key')
  if (iv.byteLength !== TOKEN_IV_BYTES) return failure('form: initialization vector')
  if (tag.byteLength !== TOKEN_TAG_BYTES) return failure('form: authentication tag')

  const members = parseJsonObject(header)
  if (!members) return failure('header: not an object with each member once')
  if (members.alg !== 'dir') return failure('header: alg')
  if (members.enc !== 'A256GCM') return failure('header: enc')
  if (Object.hasOwn(members, 'zip')) return failure('header: zip')
  if (Object.hasOwn(members, 'crit')) return failure('header: crit')
  if (typeof members.kid !== 'string' || !KEY_ID.test(members.kid)) return failure('header: kid')
  return success({ kid: members.kid })
}

/**
 * Partner tokens (`x-auth-token`): compact JWEs, `dir` with `A256GCM` (docs/contract.md#partner-tokens).
 */

/** What the tokens of one credential are checked against. */
export interface PartnerKey {
  /** AES-256-GCM, for decryption. */
  key: CryptoKey
  /** `iss`, character by character. */
  issuer: string
}

export interface PartnerTokenContext<K extends PartnerKey> {
  now: Date
  /** `aud`, character by character. */
  audience: string
  /** The live credential of a key id; null when it is unknown or revoked. */
  findCredential(kid: string): Promise<K | null>
  /**
   * Called for a token that passes every other check, before its id is claimed. May throw to refuse the request for
   * another reason, such as its rate. The id then stays unused.
   */
  admit(credential: K, claims: PartnerClaims): Promise<void>
  /**
   * Claims the id of a token that has passed every other check.
   *
   * @returns whether this is the first claim
   * @throws when that could not be decided
   */
  claimId(credential: K, jti: string, claims: PartnerClaims): Promise<boolean>
}

interface VerifiedPartnerToken<K extends PartnerKey> {
  credential: K
  claims: PartnerClaims
}

let decoy: CryptoKey | undefined

/** Used when the `kid` is unknown, so that a guess takes as long as a wrong key. It opens nothing. */
async function decoyKey(): Promise<CryptoKey> {
  decoy ??= await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['decrypt'])
  return decoy
}

/** @returns undefined when the key or the integrity tag is wrong */
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

/**
 * Checks a partner token: header, key, decryption, claims, window, replay, in this order. Nothing in it is trusted
 * before it is decrypted with the key of its `kid`. Its id is claimed last, so a refused token does not use up its
 * id.
 *
 * Other members and claims are ignored.
 */
export async function verifyPartnerToken<K extends PartnerKey>(
  token: string,
  context: PartnerTokenContext<K>,
): Promise<CheckResult<VerifiedPartnerToken<K>>> {
  const header = readProtectedHeader(token)
  if (!header.ok) return header

  const credential = await context.findCredential(header.value.kid)
  const plaintext = await decrypt(token, credential?.key ?? (await decoyKey()))
  if (credential === null) return failure('key: unknown or revoked')
  if (plaintext === undefined) return failure('decryption')

  const claims = readClaims(plaintext, { issuer: credential.issuer, audience: context.audience })
  if (!claims.ok) return claims

  const outside = windowError(claims.value, context.now)
  if (outside !== undefined) return failure(outside)

  await context.admit(credential, claims.value)
  const { jti } = claims.value
  if (jti !== undefined && !(await context.claimId(credential, jti, claims.value))) return failure('replay')
  return success({ credential, claims: claims.value })
}
