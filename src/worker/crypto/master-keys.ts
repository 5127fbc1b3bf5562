import { base64url } from 'jose'
import { utf8Encoder } from '#shared/text/utf8'
import { oncePerIsolate } from '#worker/env'

/** Keys derived from one configured master key (HKDF, RFC 5869), one per purpose, and its id. */
interface MasterKey {
  /** Stored with each sealed value. Reveals nothing about the key. */
  id: string
  sealingKey: CryptoKey
}

/** The current master key, which encrypts, followed by earlier ones, which only decrypt. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/** Long enough that the keys of one configuration never share an id. */
const ID_BITS = 64

const derivation = (purpose: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  // No salt: the input is uniformly random, and every start must derive the same keys.
  salt: new Uint8Array(),
  info: utf8Encoder.encode(`dataset-catalog-service ${purpose}`),
})

async function importMasterKey(secret: string): Promise<MasterKey> {
  const master = await crypto.subtle.importKey('raw', base64url.decode(secret), 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const [id, sealingKey] = await Promise.all([
    crypto.subtle.deriveBits(derivation('key id'), master, ID_BITS),
    crypto.subtle.deriveKey(derivation('sealing'), master, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]),
  ])
  return { id: base64url.encode(new Uint8Array(id)), sealingKey }
}

/** @param texts base64url of 32 random bytes each, the current key first @throws Error for none or duplicates */
export async function importMasterKeys(secrets: readonly string[]): Promise<MasterKeys> {
  const [current, ...previous] = await Promise.all(secrets.map(importMasterKey))
  if (!current) throw new Error('configuration: MASTER_KEY is missing')
  if (new Set([current, ...previous].map(({ id }) => id)).size < secrets.length) {
    throw new Error('configuration: MASTER_KEY and PREVIOUS_MASTER_KEYS contain the same key twice')
  }
  return [current, ...previous]
}

export const masterKeysOf = oncePerIsolate(({ masterKeys }) => importMasterKeys(masterKeys))
