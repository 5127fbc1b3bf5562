import { base64url } from 'jose'
import { utf8Encoder } from '#shared/text/utf8'

/** Keys of keyed hashes (HMAC-SHA-256). The first makes new hashes, the others only find older ones. */
export type LookupKeys = readonly [CryptoKey, ...CryptoKey[]]

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** @param text base64url of the key's 32 bytes */
export const importLookupKey = (text: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', base64url.decode(text), HMAC, false, ['sign'])

/**
 * Keyed hashes to find a value that must not be readable in the database. Equal texts have equal hashes, and nobody
 * without the keys can try out texts.
 *
 * @param context keeps apart the hashes of equal texts that must not match, such as those of two workspaces
 * @returns one hash per key, each 43 characters of base64url: store the first, search for all of them
 */
export async function lookupHashes(
  keys: LookupKeys,
  context: string,
  text: string,
): Promise<[string, ...string[]]> {
  // As a JSON list, so that no other pair of context and text gives the same bytes.
  const message = utf8Encoder.encode(JSON.stringify([context, text]))
  const hash = async (key: CryptoKey): Promise<string> =>
    base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)))
  const [current, ...others] = keys
  return Promise.all([hash(current), ...others.map(hash)])
}
