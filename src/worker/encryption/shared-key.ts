import { utf8Encoder } from '#shared/text/utf8'

/**
 * The content key of a shared key: the string twice, as UTF-8 bytes (docs/contract.md#encryption-keys). In
 * A128CBC-HS256, the first 16 bytes authenticate and the last 16 encrypt (RFC 7518, section 5.2.2.1).
 *
 * @param sharedKey 16 ASCII characters, as the service generates them
 * @returns 32 bytes
 */
export const contentKeyOf = (sharedKey: string): Uint8Array => utf8Encoder.encode(sharedKey + sharedKey)
