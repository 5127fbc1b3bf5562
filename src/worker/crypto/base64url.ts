import { base64url } from 'jose'

/**
 * Decodes base64url (RFC 4648, section 5; RFC 7515, section 2) in its one canonical spelling: no padding, no
 * white space, no other characters, no stray bits at the end. Common decoders accept more, which would give
 * one token many spellings.
 *
 * @returns undefined for any other text
 */
export function decodeCanonicalBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = base64url.decode(text)
  return base64url.encode(bytes) === text ? bytes : undefined
}
