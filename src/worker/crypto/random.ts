import { base64url } from 'jose'

const SECRET_BYTES = 32
const ID_BYTES = 16

const randomText = (bytes: number): string => base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)))

/** A new secret: 256 random bits as base64url, so a plain hash of it is safe to store. @param prefix its kind */
export const randomSecret = (prefix: string): string => prefix + randomText(SECRET_BYTES)

/** A new identifier: 128 random bits as base64url. It is not a secret. */
export const randomId = (prefix: string): string => prefix + randomText(ID_BYTES)

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new secret of letters and digits: about 5.95 random bits per character. */
export function randomAlphanumeric(length: number): string {
  // Skips bytes beyond the last whole multiple of the alphabet: they would make the first characters more likely.
  const limit = 256 - (256 % ALPHANUMERIC.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length))) {
      if (byte < limit && text.length < length) text += ALPHANUMERIC[byte % ALPHANUMERIC.length]
    }
  }
  return text
}
