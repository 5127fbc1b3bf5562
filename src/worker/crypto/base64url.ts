import { base64url } from 'jose'

/** Last characters of a base64url text, by its length modulo 4, that leave no stray bits (RFC 4648, section 3.5). */
const CANONICAL_ENDS: readonly RegExp[] = [/^.?$/, /(?!)/, /^[AQgw]$/, /^[AEIMQUYcgkosw048]$/]

/** Whether a text is canonical base64url (RFC 4648, section 5). Does not decode it. */
export const isCanonicalBase64url = (text: string): boolean =>
  !/[^A-Za-z0-9_-]/.test(text) && CANONICAL_ENDS[text.length % 4]?.test(text.slice(-1)) === true

export const decodeCanonicalBase64url = (text: string): Uint8Array | undefined =>
  isCanonicalBase64url(text) ? base64url.decode(text) : undefined
