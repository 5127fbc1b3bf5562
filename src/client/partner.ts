import { base64url, EncryptJWT, FlattenedEncrypt, flattenedDecrypt } from 'jose'
import type { Body } from '#client/api'
import { type CallOptions, type Fetch, RenewedToken, ServiceClient, type TokenSource } from '#client/index'

/**
 * The part of the package `dataset-catalog` for servers of partners (docs/partners.md): `dataset-catalog/partner`. Only
 * this part needs the package `jose`.
 */

/** The credential that the service shows once, when it is created. */
export interface PartnerCredential {
  kid: string
  /** Base64url of 32 bytes. */
  secret: string
  issuer: string
  audience: string
}

/** The user or the system on whose behalf a partner sends requests. */
export interface PartnerUser {
  /** For example, the mobile number with country code. */
  id: string
  /** With country code. */
  mobileNumber?: string | undefined
}

/** The recommended lifetime of a partner token. */
const LIFETIME = '5m'

/** A partner token: valid for one request with the header `x-auth-token`, within five minutes. */
export function partnerToken(
  { kid, secret, issuer, audience }: PartnerCredential,
  { id, mobileNumber }: PartnerUser,
): Promise<string> {
  return new EncryptJWT(mobileNumber === undefined ? {} : { mobile_number: mobileNumber })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(id)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .setJti(crypto.randomUUID())
    .encrypt(base64url.decode(secret))
}

export interface PartnerSession extends CallOptions {
  /** Base URL of the service: `https://catalog.example`. */
  baseUrl: string
  credential: PartnerCredential
  user: PartnerUser
  /** Fewer permissions than the credential has: `search`. */
  scope?: NonNullable<Body<'post', '/api/v1/auth/session'>>['scope'] | undefined
}

/** Access tokens of 15 minutes for a user of a partner. Each is exchanged for a new partner token. */
export function partnerTokens({ baseUrl, credential, user, scope, ...options }: PartnerSession): TokenSource {
  const send = options.fetch ?? globalThis.fetch
  const client = new ServiceClient({
    baseUrl,
    ...options,
    // Each attempt has a new token, because the service may have used up the previous one.
    fetch: async (address, init) => {
      const headers = new Headers(init.headers)
      headers.set('x-auth-token', await partnerToken(credential, user))
      return send(address, { ...init, headers })
    },
  })
  return new RenewedToken(() => client.post('/api/v1/auth/session', { body: { scope } }))
}

/** A workspace's key for encrypted bodies. */
export interface SharedKey {
  kid: string
  /** 16 characters. */
  key: string
}

/** Paths whose bodies may be encrypted, because they contain personal data or search texts. */
const ENCRYPTABLE = /^\/(?:registration\/v1\/init|mr\/api\/v2\/docs|medical-db\/v1\/search)\/?$/

const isEncryptable = (address: string, { method, body }: RequestInit): boolean =>
  method === 'POST' && body != null && ENCRYPTABLE.test(new URL(address, 'https://service').pathname)

/** The encoding in which files are sent. */
const base64 = (bytes: Uint8Array): string => {
  const text = base64url.encode(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** The JSON of a body. For a form, JSON that contains its file. */
async function plaintextOf({ body, headers }: RequestInit): Promise<Uint8Array> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  const all = new Headers(headers)
  const response = new Response(body ?? null)
  const plain = all.get('Content-Encoding') === 'gzip' ? unpack(response) : response
  const form = await new Response(plain.body, { headers: { 'Content-Type': all.get('Content-Type') ?? '' } }).formData()
  const file = form.get('file')
  if (file === null || typeof file === 'string') throw new TypeError('the form has no file')
  return new TextEncoder().encode(JSON.stringify({ file: base64(new Uint8Array(await file.arrayBuffer())) }))
}

const unpack = ({ body }: Response): Response => new Response(body?.pipeThrough(new DecompressionStream('gzip')))

/** Decrypts the response if it is encrypted. The service only encrypts responses after it has read the key. */
async function decrypt(response: Response, contentKey: Uint8Array): Promise<Response> {
  if (response.headers.get('X-Encryption') !== 'JWE') return response
  const { plaintext } = await flattenedDecrypt(await response.json(), contentKey)
  return new Response(Uint8Array.from(plaintext), { status: response.status, headers: response.headers })
}

/**
 * Creates a `fetch` for a client that encrypts registrations, documents and posted searches, and decrypts the responses
 * (docs/contract.md#encrypted-bodies). File names are not sent. For servers: the key must not reach a browser.
 *
 * @param fetch sends the encrypted request
 */
export function encrypting(
  { kid, key }: SharedKey,
  fetch: Fetch = (address, init) => globalThis.fetch(address, init),
): Fetch {
  const contentKey = new TextEncoder().encode(key + key)
  return async (address, init) => {
    if (!isEncryptable(address, init)) return fetch(address, init)
    const jwe = await new FlattenedEncrypt(await plaintextOf(init))
      .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
      .encrypt(contentKey)
    const headers = new Headers(init.headers)
    headers.delete('Content-Encoding')
    headers.delete('Content-Length')
    headers.set('Content-Type', 'application/json')
    headers.set('X-Encryption', 'JWE')
    const response = await fetch(address, { ...init, headers, body: JSON.stringify({ ...jwe, kid }) })
    return decrypt(response, contentKey)
  }
}
