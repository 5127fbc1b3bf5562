import { base64url, flattenedDecrypt } from 'jose'
import * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { parseJsonObject } from '#shared/json/object'
import { utf8Encoder } from '#shared/text/utf8'
import { decodeCanonicalBase64url, isCanonicalBase64url } from '#worker/crypto/base64url'
import type { AnswerKey } from '#worker/http/context'
import { parseJson } from '#worker/http/endpoint/validation'

export const KEY_MANAGEMENT = 'dir'
export const CONTENT_ENCRYPTION = 'A128CBC-HS256'

/** The 400 for a body that cannot be decrypted, the same for every cause (docs/contract.md#encrypted-responses). */
const undecryptable = (cause: string): ApiError =>
  new ApiError('invalid_request', 'The encrypted body cannot be decrypted.', { reason: `encrypted body: ${cause}` })

/** Most characters of the protected header. The response repeats it, and its properties need a few hundred. */
const MAX_HEADER_LENGTH = 4096
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'enc', 'kid'])

/** The `kid` of a protected header, whose only properties may be `alg`, `enc` and `kid`. */
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

const base64urlSchema = z.string().refine(isCanonicalBase64url)
const absentSchema = z.undefined().optional()

/** A flattened JWE (RFC 7516, section 7.2.2) with the ID of the shared key. Further properties are ignored. */
const envelopeSchema = z.object({
  /** The header exactly as received: its characters are the additional authenticated data. */
  protected: base64urlSchema.max(MAX_HEADER_LENGTH),
  iv: base64urlSchema,
  ciphertext: base64urlSchema,
  tag: base64urlSchema,
  kid: z.string(),
  encrypted_key: z.literal('').optional(),
  // They would change the meaning of a JWE (RFC 7516, section 7.2).
  header: absentSchema,
  unprotected: absentSchema,
  aad: absentSchema,
  recipients: absentSchema,
})

/** The parts of an encrypted body. Its header must have the same `kid`. Not verified yet. @throws ApiError 400 */
function parseEnvelope(body: Uint8Array) {
  let value: unknown
  try {
    value = parseJson(body)
  } catch {
    throw undecryptable('not JSON')
  }
  const result = envelopeSchema.safeParse(value)
  if (!result.success) {
    const [member = 'the body'] = result.error.issues[0]?.path ?? []
    throw undecryptable(`${String(member)} is missing, malformed or not allowed`)
  }
  const { protected: header, iv, ciphertext, tag, kid } = result.data
  const inner = headerKid(header)
  if (inner !== undefined && inner !== kid) throw undecryptable('kid of header and body differ')
  return { kid, jwe: { protected: header, iv, ciphertext, tag } }
}

/**
 * Decrypts an encrypted body (docs/contract.md#encrypted-requests; RFC 7516, section 5.2). The plaintext is not
 * checked.
 *
 * @param findKey returns the 32-byte key of a key ID; undefined if the caller may not use it
 * @throws ApiError 400, the same for every cause
 */
export async function openBody(
  body: Uint8Array,
  findKey: (kid: string) => Promise<Uint8Array | undefined>,
): Promise<AnswerKey & { plaintext: Uint8Array }> {
  const { kid, jwe } = parseEnvelope(body)
  const contentKey = await findKey(kid)
  if (contentKey === undefined) throw undecryptable('no live key of the workspace has this kid')
  let plaintext: Uint8Array
  try {
    const result = await flattenedDecrypt(jwe, contentKey, {
      keyManagementAlgorithms: [KEY_MANAGEMENT],
      contentEncryptionAlgorithms: [CONTENT_ENCRYPTION],
      maxDecompressedLength: 0,
    })
    plaintext = result.plaintext
  } catch {
    // Errors of jose reveal more about the cause than a caller may learn. The log also gets this reason only.
    throw undecryptable('the integrity check failed')
  }
  // A copy, because a view would keep the whole body in memory until the response is sent.
  return { plaintext, contentKey, header: structuredClone(jwe.protected) }
}

/** Bytes of the initialization vector, of the authentication tag, and of each half of the content key. */
const BLOCK_BYTES = 16

/**
 * Encrypts a response as a flattened JWE (RFC 7518, section 5.2; docs/contract.md#encrypted-responses), and keeps its
 * status and headers. `protected` is that of the request, byte for byte; jose would write its own.
 */
export async function encryptAnswer(answer: Response, { contentKey, header }: AnswerKey): Promise<Response> {
  const macKey = await crypto.subtle.importKey(
    'raw',
    contentKey.subarray(0, BLOCK_BYTES),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const cipherKey = await crypto.subtle.importKey('raw', contentKey.subarray(BLOCK_BYTES), 'AES-CBC', false, [
    'encrypt',
  ])
  const iv = crypto.getRandomValues(new Uint8Array(BLOCK_BYTES))
  const plaintext = await answer.arrayBuffer()
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, cipherKey, plaintext)
  const headerBits = new DataView(new ArrayBuffer(8))
  headerBits.setBigUint64(0, BigInt(header.length) * 8n)
  const authenticated = await new Blob([header, iv, ciphertext, headerBits.buffer]).arrayBuffer()
  const tag = (await crypto.subtle.sign('HMAC', macKey, authenticated)).slice(0, BLOCK_BYTES)
  const headers = new Headers(answer.headers)
  headers.delete('Content-Length')
  headers.set('Content-Type', 'application/json')
  headers.set('X-Encryption', 'JWE')
  const [encodedIv, encodedText, encodedTag] = [iv, ciphertext, tag].map((bytes) =>
    base64url.encode(new Uint8Array(bytes)),
  )
  const jwe = { protected: header, iv: encodedIv, ciphertext: encodedText, tag: encodedTag }
  return new Response(utf8Encoder.encode(JSON.stringify(jwe)), { status: answer.status, headers })
}
