import { base64url } from 'jose'
import { utf8Encoder } from '#shared/text/utf8'

const sha256 = (data: string | Uint8Array): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', typeof data === 'string' ? utf8Encoder.encode(data) : data)

const hexDigits = (digest: ArrayBuffer): string =>
  Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** SHA-256 (FIPS 180-4) of bytes, or of the UTF-8 bytes of a text, as 64 lower-case hexadecimal digits. */
export const sha256Hex = async (data: string | Uint8Array): Promise<string> => hexDigits(await sha256(data))

/** Compares two secrets in constant time. Their digests have equal length. */
export async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  const [digestOfA, digestOfB] = await Promise.all([sha256(a), sha256(b)])
  return crypto.subtle.timingSafeEqual(digestOfA, digestOfB)
}

/** The key of keyed hashes (HMAC-SHA-256). @param text base64url of the key's 32 bytes */
export const importLookupKey = (text: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', base64url.decode(text), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

/**
 * A keyed hash, as 43 characters of base64url, to look up a value that must not be readable in the database.
 *
 * @param context separates hashes that must not match, such as those of two workspaces
 */
export async function lookupHash(key: CryptoKey, context: string, text: string): Promise<string> {
  // A JSON list, so that no other pair of context and text has the same bytes.
  const message = utf8Encoder.encode(JSON.stringify([context, text]))
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)))
}
