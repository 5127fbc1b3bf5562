import { base64url } from 'jose'
import { utf8Encoder } from '#shared/text/utf8'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** The key of keyed hashes (HMAC-SHA-256). @param text base64url of the key's 32 bytes */
export const importLookupKey = (text: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', base64url.decode(text), HMAC, false, ['sign'])

/**
 * A keyed hash to find a value that must not be readable in the database. Equal texts have equal hashes, and nobody
 * without the key can try out texts.
 *
 * @param context keeps apart the hashes of equal texts that must not match, such as those of two workspaces
 * @returns 43 characters of base64url
 */
export async function lookupHash(key: CryptoKey, context: string, text: string): Promise<string> {
  // As a JSON list, so that no other pair of context and text gives the same bytes.
  const message = utf8Encoder.encode(JSON.stringify([context, text]))
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)))
}
