import { flattenedDecrypt } from 'jose'
import { CONTENT_ENCRYPTION, KEY_MANAGEMENT, parseEnvelope } from './envelope'
import { undecryptable } from './refusal'

const CONTENT_KEY_BYTES = 32

export interface OpenedBody {
  plaintext: Uint8Array
  /** What the sender has proven to hold; the answer is encrypted with it. */
  contentKey: Uint8Array
}

/**
 * Decrypts an encrypted body (specification, Encrypted request and response bodies; RFC 7516, section 5.2).
 *
 * A body under an unknown key is decrypted as well, with a key of no meaning, so that the time taken does not tell
 * which key ids exist.
 *
 * @param text the body as received
 * @param findKey the 32-byte key of a key id, or undefined where the caller may not use one
 * @returns the plaintext, which is not looked at
 * @throws ApiError 400, the same for every cause
 */
export async function openBody(
  text: string,
  findKey: (kid: string) => Promise<Uint8Array | undefined>,
): Promise<OpenedBody> {
  const { kid, ...jwe } = parseEnvelope(text)
  const known = await findKey(kid)
  const contentKey = known ?? crypto.getRandomValues(new Uint8Array(CONTENT_KEY_BYTES))
  let plaintext: Uint8Array
  try {
    const opened = await flattenedDecrypt(jwe, contentKey, {
      keyManagementAlgorithms: [KEY_MANAGEMENT],
      contentEncryptionAlgorithms: [CONTENT_ENCRYPTION],
      maxDecompressedLength: 0,
    })
    plaintext = opened.plaintext
  } catch {
    // jose's reasons differ between causes that nobody outside may tell apart, and say no more than this to the log.
    throw undecryptable(known ? 'the integrity check failed' : 'no live key of the workspace has this kid')
  }
  if (!known) throw undecryptable('no live key of the workspace has this kid')
  return { plaintext, contentKey }
}
