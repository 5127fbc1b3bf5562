import { base64url } from 'jose'

/**
 * Decodes base64url (RFC 4648, section 5) in its one canonical spelling, as RFC 7515, section 2 has it: without padding,
 * white space, other characters or stray bits at the end. Decoders take more than that, which would give one token many
 * spellings.
 *
 * @returns undefined for any other text
 */
export function decodeCanonicalBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = base64url.decode(text)
  return base64url.encode(bytes) === text ? bytes : undefined
}
