import { createCipheriv, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import path from 'node:path'
import { CompactEncrypt } from 'jose'

/** From the folder in which the script runs; see `generate.mjs`. */
const nodeJose = createRequire(path.join(process.cwd(), 'package.json'))('node-jose')

/** A header as text: unchanged if it is text, else the JSON of the object. */
export const json = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

export async function withNodeJose(secret, header, claims) {
  const { kid, ...fields } = header
  const key = await nodeJose.JWK.asKey({ kty: 'oct', k: secret, kid, use: 'enc' })
  return nodeJose.JWE.createEncrypt({ format: 'compact', contentAlg: fields.enc, fields: { ...fields, kid } }, key)
    .update(claims)
    .final()
}

export async function withJose(secret, header, claims) {
  const token = await new CompactEncrypt(new TextEncoder().encode(claims))
    .setProtectedHeader(header)
    .encrypt(Buffer.from(secret, 'base64url'))
  const key = await nodeJose.JWK.asKey({ kty: 'oct', k: secret, kid: header.kid, use: 'enc' })
  const { plaintext } = await nodeJose.JWE.createDecrypt(key).decrypt(token)
  if (plaintext.toString() !== claims) throw new Error('node-jose read something else')
  return token
}

/** The parts of a compact JWE (RFC 7516, section 5.1), with any header. */
export function parts(secret, header, plaintext, { ivBytes = 12 } = {}) {
  const encodedHeader = Buffer.from(json(header)).toString('base64url')
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(secret, 'base64url'), iv)
  cipher.setAAD(Buffer.from(encodedHeader, 'ascii'))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { header: encodedHeader, key: '', iv, ciphertext, tag: cipher.getAuthTag() }
}

export const text = (part) => (typeof part === 'string' ? part : part.toString('base64url'))

export const join = ({ header, key, iv, ciphertext, tag }) => [header, key, iv, ciphertext, tag].map(text).join('.')

export const byHand = (secret, header, plaintext, options) => join(parts(secret, header, plaintext, options))

export const flipped = (bytes) => Buffer.concat([Buffer.from([bytes[0] ^ 1]), bytes.subarray(1)])

/** Spells the same bytes with a stray bit at the end, which decoders drop. */
export function strayBit(encoded) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return encoded.slice(0, -1) + alphabet[alphabet.indexOf(encoded.at(-1)) + 1]
}
