import { compactDecrypt, errors } from 'jose'
import { accepted, type Checked, refused } from './check-result'
import { type PartnerClaims, readClaims, windowError } from './claims'
import { readProtectedHeader } from './header'

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
): Promise<Checked<VerifiedPartnerToken<K>>> {
  const header = readProtectedHeader(token)
  if (!header.ok) return header

  const credential = await context.findCredential(header.value.kid)
  const plaintext = await decrypt(token, credential?.key ?? (await decoyKey()))
  if (credential === null) return refused('key: unknown or revoked')
  if (plaintext === undefined) return refused('decryption')

  const claims = readClaims(plaintext, { issuer: credential.issuer, audience: context.audience })
  if (!claims.ok) return claims

  const outside = windowError(claims.value, context.now)
  if (outside !== undefined) return refused(outside)

  await context.admit(credential, claims.value)
  const { jti } = claims.value
  if (jti !== undefined && !(await context.claimId(credential, jti, claims.value))) return refused('replay')
  return accepted({ credential, claims: claims.value })
}
