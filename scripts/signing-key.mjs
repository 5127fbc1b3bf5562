import { generateKeyPairSync, randomUUID } from 'node:crypto'

/** A new private ES256 key as a JWK (RFC 7517; RFC 7518, section 6.2) with a key id. */
export function newSigningKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' }
}
