import { base64url, EncryptJWT, FlattenedEncrypt, flattenedDecrypt } from 'jose'
import type { Body } from '#client/api'
import { type CallOptions, type Fetch, RenewedToken, ServiceClient, type TokenSource } from '#client/index'

/**
 * The part of the package `dataset-catalog` for servers of partners (docs/partners.md): `dataset-catalog/partner`. It
 * needs the package `jose`, which the rest does not.
 */

/** What the service shows once when a partner credential is made. */
export interface PartnerCredential {
  kid: string
  /** Base64url of 32 bytes. */
  secret: string
  issuer: string
  audience: string
}

/** The person or the system for whom a partner calls. */
export interface PartnerUser {
  /** For example the mobile number with country code. */
  id: string
  /** With country code. */
  mobileNumber?: string | undefined
}

/** The lifetime that the service recommends. */
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
  /** Where the service is: `https://catalog.example`. */
  baseUrl: string
  credential: PartnerCredential
  user: PartnerUser
  /** Fewer rights than the credential has: `search`. */
  scope?: NonNullable<Body<'post', '/api/v1/auth/session'>>['scope'] | undefined
}

/** Access tokens of 15 minutes for a user of a partner. Each is exchanged for a partner token of its own. */
export function partnerTokens({ baseUrl, credential, user, scope, ...options }: PartnerSession): TokenSource {
  const send = options.fetch ?? globalThis.fetch
  const client = new ServiceClient({
    baseUrl,
    ...options,
    // Each attempt has a new token, because the service may have used up the one before it.
    fetch: async (address, init) => {
      const headers = new Headers(init.headers)
      headers.set('x-auth-token', await partnerToken(credential, user))
      return send(address, { ...init, headers })
    },
  })
  return new RenewedToken(() => client.post('/api/v1/auth/session', { body: { scope } }))
}

/** A key of a workspace for encrypted bodies. */
export interface SharedKey {
  kid: string
  /** 16 characters. */
  key: string
}

/** Paths whose bodies may be encrypted: where people's data and what is searched for travel. */
const ENCRYPTABLE = /^\/(?:registration\/v1\/init|mr\/api\/v2\/docs|medical-db\/v1\/search)\/?$/

const isEncryptable = (address: string, { method, body }: RequestInit): boolean =>
  method === 'POST' && body != null && ENCRYPTABLE.test(new URL(address, 'https://service').pathname)

/** The alphabet in which files are sent. */
const base64 = (bytes: Uint8Array): string => {
  const text = base64url.encode(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** The JSON of a body; the file of a form is packed into one. */
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

/** The answer in plain text, if it is encrypted: the service encrypts what it says after it has read the key. */
async function decrypt(response: Response, contentKey: Uint8Array): Promise<Response> {
  if (response.headers.get('X-Encryption') !== 'JWE') return response
  const { plaintext } = await flattenedDecrypt(await response.json(), contentKey)
  return new Response(Uint8Array.from(plaintext), { status: response.status, headers: response.headers })
}

/**
 * A `fetch` for a client that encrypts registrations, documents and searches that are posted, and decrypts the answers
 * (docs/contract.md#encrypted-bodies). The name of a file is not sent. For servers: the key must not reach a browser.
 *
 * @param fetch sends what is encrypted
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
