import { env } from 'cloudflare:workers'
import { FlattenedEncrypt, flattenedDecrypt } from 'jose'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { rowContext, seal } from '#worker/crypto/seal'
import { callOperator } from '../../support/credentials'
import { execute } from '../../support/databases'
import { bearer, callService, dataFrom } from '../../support/service'

export interface SharedKey {
  kid: string
  key: string
}

const utf8 = new TextEncoder()
const contentKey = ({ key }: SharedKey): Uint8Array => utf8.encode(key + key)

export const newSharedKey = (workspaceId: string): Promise<SharedKey> =>
  dataFrom(callOperator(`/workspaces/${workspaceId}/encryption-keys`, {}))

/** Stores a shared key that the service did not create, such as that of the test vectors. */
export async function storeSharedKey(workspaceId: string, { kid, key }: SharedKey): Promise<void> {
  const sealed = await seal(await masterKeysOf(env), rowContext('encryption_keys', kid), key)
  const insert = 'insert into encryption_keys (kid, workspace_id, sealed_key, created_at) values (?, ?, ?, 0)'
  await execute(insert, kid, workspaceId, sealed)
}

/** The properties of an encrypted body. */
export async function encrypted(plaintext: string | Uint8Array, key: SharedKey): Promise<Record<string, string>> {
  const bytes = typeof plaintext === 'string' ? utf8.encode(plaintext) : plaintext
  const jwe = await new FlattenedEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
    .encrypt(contentKey(key))
  return { ...(jwe as unknown as Record<string, string>), kid: key.kid }
}

export const sendEncrypted = (path: string, token: string, body: BodyInit, headers: Record<string, string> = {}) =>
  callService(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Encryption': 'JWE', ...bearer(token), ...headers },
    body,
  })

/** Encrypts a payload (JSON unless it is a text) and sends it. */
export async function callEncrypted(
  path: string,
  token: string,
  payload: unknown,
  key: SharedKey,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return sendEncrypted(path, token, JSON.stringify(await encrypted(text, key)), headers)
}

/** The JSON of an encrypted response. Fails for a plain one. */
export async function decrypted<T = Record<string, unknown>>(response: Response, key: SharedKey): Promise<T> {
  if (response.headers.get('X-Encryption') !== 'JWE') {
    throw new Error(`not encrypted: ${response.status} ${await response.text()}`)
  }
  const { plaintext } = await flattenedDecrypt(await response.json(), contentKey(key))
  return JSON.parse(new TextDecoder().decode(plaintext))
}

export const UNREADABLE = { success: false, message: 'The encrypted body cannot be decrypted.' }

/** The same bytes in another base64url spelling: one of the unused bits is set. */
export function withStrayBit(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) + 1]
}
