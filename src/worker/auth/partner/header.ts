import { parseJsonObject } from '#shared/json/object'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'
import { accepted, type Checked, refused } from './check-result'

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
export function readProtectedHeader(token: string): Checked<{ kid: string }> {
  if (token.length > MAX_PARTNER_TOKEN_LENGTH) return refused('form: too long')
  const parts = token.split('.')
  if (parts.length !== 5) return refused('form: not five parts')
  const [header, encryptedKey, iv, ciphertext, tag] = parts.map(decodeCanonicalBase64url)
  if (!header || !encryptedKey || !iv || !ciphertext || !tag) return refused('form: not base64url')
  if (encryptedKey.byteLength !== 0) return refused('form: encrypted key')
  if (iv.byteLength !== TOKEN_IV_BYTES) return refused('form: initialization vector')
  if (tag.byteLength !== TOKEN_TAG_BYTES) return refused('form: authentication tag')

  const members = parseJsonObject(header)
  if (!members) return refused('header: not an object with each member once')
  if (members.alg !== 'dir') return refused('header: alg')
  if (members.enc !== 'A256GCM') return refused('header: enc')
  if (Object.hasOwn(members, 'zip')) return refused('header: zip')
  if (Object.hasOwn(members, 'crit')) return refused('header: crit')
  if (typeof members.kid !== 'string' || !KEY_ID.test(members.kid)) return refused('header: kid')
  return accepted({ kid: members.kid })
}
