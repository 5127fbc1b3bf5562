import { base64url } from 'jose'
import { strictUtf8, utf8Encoder } from '#shared/text/utf8'
import type { MasterKeys } from './master-keys'

/**
 * Secrets at rest: AES-256-GCM (NIST SP 800-38D) under the master key, as `<id of the key>.<iv>.<ciphertext and tag>`.
 * The context is authenticated: a value that is moved to another row cannot be decrypted.
 */

/** 96 random bits, the length that GCM is made for. Safe for about 2^32 values under one key. */
const IV_BYTES = 12
const TAG_BITS = 128

const algorithm = (iv: Uint8Array, context: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: utf8Encoder.encode(context),
  tagLength: TAG_BITS,
})

/** The context of a value in a row: `table` is the name of its table, `id` the primary key of its row. */
export const rowContext = (table: string, id: string): string => `${table}/${id}`

/** Encrypts a secret under the current master key and binds it to its place; see `rowContext`. */
export async function seal(keys: MasterKeys, context: string, plaintext: string): Promise<string> {
  const [{ id, sealingKey }] = keys
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const bytes = await crypto.subtle.encrypt(algorithm(iv, context), sealingKey, utf8Encoder.encode(plaintext))
  return `${id}.${base64url.encode(iv)}.${base64url.encode(new Uint8Array(bytes))}`
}

/**
 * Decrypts what `seal` made with the same context, under the current or an earlier master key.
 *
 * @throws Error, without the value, when the key is not configured or the value was altered
 */
export async function unseal(keys: MasterKeys, context: string, sealed: string): Promise<string> {
  const [id, iv, ciphertext, ...rest] = sealed.split('.')
  if (iv === undefined || ciphertext === undefined || rest.length > 0) throw new Error('not an encrypted value')
  const key = keys.find((candidate) => candidate.id === id)
  if (!key) throw new Error('configuration: the master key of an encrypted value is not configured')
  let bytes: ArrayBuffer
  try {
    const parameters = algorithm(base64url.decode(iv), context)
    bytes = await crypto.subtle.decrypt(parameters, key.sealingKey, base64url.decode(ciphertext))
  } catch (cause) {
    throw new Error('an encrypted value was altered or belongs to another row', { cause })
  }
  return strictUtf8.decode(bytes)
}
