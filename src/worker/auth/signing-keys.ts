import type * as z from 'zod'
import { oncePerIsolate, type SigningKey } from '#worker/env'
import type { jwksSchema } from './schemas'

export interface SigningKeys {
  signing: { kid: string; key: CryptoKey }
  verification: ReadonlyMap<string, CryptoKey>
  jwks: z.output<typeof jwksSchema>
}

const ECDSA_P256 = { name: 'ECDSA', namedCurve: 'P-256' }

// Copies each property by name, so that nothing else can be published.
const publicJwk = ({ kty, crv, x, y, kid }: SigningKey) => ({ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }) as const

const importPublic = ({ kty, crv, x, y }: SigningKey): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', { kty, crv, x, y }, ECDSA_P256, false, ['verify'])

const importPrivate = ({ kty, crv, x, y, d }: SigningKey): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', { kty, crv, x, y, d }, ECDSA_P256, false, ['sign'])

/**
 * The first key signs. All keys verify.
 *
 * @throws Error if two have the same `kid`, or one is not a point of the curve P-256
 */
export async function importSigningKeys(keyList: readonly SigningKey[]): Promise<SigningKeys> {
  const first = keyList[0]
  if (!first || new Set(keyList.map(({ kid }) => kid)).size < keyList.length) {
    throw new Error('configuration: SIGNING_KEYS is empty or contains a kid twice')
  }
  try {
    const entries = keyList.map(async (key) => [key.kid, await importPublic(key)] as const)
    const [key, ...verification] = await Promise.all([importPrivate(first), ...entries])
    return {
      signing: { kid: first.kid, key },
      verification: new Map(verification),
      jwks: { keys: keyList.map(publicJwk) },
    }
  } catch (cause) {
    throw new Error('configuration: SIGNING_KEYS has a key that is not an ES256 key', { cause })
  }
}

export const signingKeysOf = oncePerIsolate(({ signingKeys }) => importSigningKeys(signingKeys))
