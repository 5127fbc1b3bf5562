import { parseJsonObject } from '#shared/json/object'
import { stringMembers } from '#shared/json/string-members'
import { decodeCanonicalBase64url } from '#worker/crypto/base64url'
import { undecryptable } from './refusal'

export const KEY_MANAGEMENT = 'dir'
export const CONTENT_ENCRYPTION = 'A128CBC-HS256'

/** A flattened JWE (RFC 7516, section 7.2.2). Only its form has been checked. */
interface Envelope {
  /** The header exactly as received: its characters are the additional authenticated data. */
  protected: string
  iv: string
  ciphertext: string
  tag: string
  /** Id of the shared key. */
  kid: string
}

const ENCODED_MEMBERS = ['protected', 'iv', 'ciphertext', 'tag'] as const
/** Members of a JWE that would change its meaning (RFC 7516, section 7.2). */
const REFUSED_MEMBERS = ['header', 'unprotected', 'aad', 'recipients'] as const
const MEMBERS: ReadonlySet<string> = new Set([...ENCODED_MEMBERS, 'kid', 'encrypted_key', ...REFUSED_MEMBERS])

/** Characters of the protected header. The answer repeats it, and its members need a few hundred. */
const MAX_HEADER_LENGTH = 4096
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'enc', 'kid'])

/** Last characters of a base64url text, by its length modulo 4, that leave no stray bits (RFC 4648, section 3.5). */
const CANONICAL_ENDS: readonly RegExp[] = [/^.?$/, /(?!)/, /^[AQgw]$/, /^[AEIMQUYcgkosw048]$/]

/** Whether a text is canonical base64url. Decodes nothing, because a ciphertext may have megabytes. */
const isCanonicalBase64url = (text: string): boolean =>
  !/[^A-Za-z0-9_-]/.test(text) && CANONICAL_ENDS[text.length % 4]!.test(text.slice(-1))

/**
 * The kid of a protected header, whose only members may be `alg`, `enc` and `kid`. So there is no compression and no
 * `crit`.
 */
function headerKid(encoded: string): string | undefined {
  const bytes = decodeCanonicalBase64url(encoded)
  const header = bytes && parseJsonObject(bytes)
  if (!header) throw undecryptable('the protected header is not a JSON object with each member once')
  if (Object.keys(header).some((name) => !HEADER_MEMBERS.has(name))) {
    throw undecryptable('the protected header has an unknown member')
  }
  if (header.alg !== KEY_MANAGEMENT) throw undecryptable('alg is not dir')
  if (header.enc !== CONTENT_ENCRYPTION) throw undecryptable('enc is not A128CBC-HS256')
  if (header.kid === undefined) return undefined
  if (typeof header.kid !== 'string') throw undecryptable('the kid of the header is not a string')
  return header.kid
}

/**
 * Reads the parts of an encrypted body (docs/contract.md#encrypted-requests).
 *
 * Not checked: whether the key exists, the lengths of `iv` and `tag`, and the integrity.
 *
 * @param body UTF-8
 * @throws ApiError 400 unless the members `protected`, `iv`, `ciphertext`, `tag` and `kid` are there once, as
 *   strings, the first four in canonical base64url, with a kid on which header and body agree; and for members
 *   that change the meaning of a JWE. Others are ignored.
 */
export function parseEnvelope(body: Uint8Array): Envelope {
  const members = stringMembers(body, MEMBERS)
  if (!members) throw undecryptable('not a JSON object with known members as strings, each once')
  if (REFUSED_MEMBERS.some((name) => members.has(name)) || (members.get('encrypted_key') ?? '') !== '') {
    throw undecryptable('a member that is not allowed')
  }
  const member = (name: (typeof ENCODED_MEMBERS)[number]): string => {
    const value = members.get(name)
    if (value === undefined) throw undecryptable('a member is missing')
    return value
  }
  const [header, iv] = [member('protected'), member('iv')]
  const [ciphertext, tag] = [member('ciphertext'), member('tag')]
  if (![header, iv, ciphertext, tag].every(isCanonicalBase64url)) {
    throw undecryptable('a member is not base64url in its canonical form')
  }
  if (header.length > MAX_HEADER_LENGTH) throw undecryptable('the protected header is too long')
  const kid = members.get('kid')
  if (kid === undefined) throw undecryptable('no kid')
  const inner = headerKid(header)
  if (inner !== undefined && inner !== kid) throw undecryptable('kid of header and body differ')
  return { protected: header, iv, ciphertext, tag, kid }
}
