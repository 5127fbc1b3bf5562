import { utf8Encoder } from '#shared/text/utf8'

/** Message signatures (Standard Webhooks 1.0): HMAC-SHA256 of the ID, the time and the body. */

const SECRET_PREFIX = 'whsec_'
const SIGNING_BYTES = 32

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** A new secret of a webhook: `whsec_` and the base64 of 256 random bits. */
export const newWebhookSecret = (): string =>
  SECRET_PREFIX + base64(crypto.getRandomValues(new Uint8Array(SIGNING_BYTES)))

async function signature(secret: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8Encoder.encode(text))))}`
}

/** The headers by which a receiver verifies the sender and the time. @param secrets all that are valid now */
export async function signatureHeaders(
  secrets: readonly string[],
  messageId: string,
  sentAt: Date,
  body: string,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const signatures = secrets.map((secret) => signature(secret, `${messageId}.${timestamp}.${body}`))
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  }
}
