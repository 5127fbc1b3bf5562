import { flattenedDecrypt } from 'jose'
import type { AnswerKey } from '#worker/http/context'
import { CONTENT_ENCRYPTION, KEY_MANAGEMENT, parseEnvelope } from './envelope'
import { undecryptable } from './refusal'

const CONTENT_KEY_BYTES = 32

/**
 * Decrypts an encrypted body (docs/contract.md#encrypted-requests; RFC 7516, section 5.2).
 *
 * A body with an unknown key id is decrypted too, with a random key, so that the time does not show which key ids
 * exist.
 *
 * @param body as received
 * @param findKey the 32-byte key of a key id; undefined if the caller may not use it
 * @returns the plaintext, which is not checked, and the key that the sender has proven to have
 * @throws ApiError 400, the same for every cause
 */
export async function openBody(
  body: Uint8Array,
  findKey: (kid: string) => Promise<Uint8Array | undefined>,
): Promise<AnswerKey & { plaintext: Uint8Array }> {
  const { kid, ...jwe } = parseEnvelope(body)
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
    // The errors of jose tell more about the cause than a caller may learn. The log gets only this reason too.
    throw undecryptable(known ? 'the integrity check failed' : 'no live key of the workspace has this kid')
  }
  if (!known) throw undecryptable('no live key of the workspace has this kid')
  // A copy: a part of the body would keep all of it in memory until the answer is sent.
  return { plaintext, contentKey, header: structuredClone(jwe.protected) }
}
