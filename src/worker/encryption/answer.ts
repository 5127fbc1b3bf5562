import { base64url } from 'jose'
import { utf8Encoder } from '#shared/text/utf8'
import type { AnswerKey } from '#worker/http/context'

/** Bytes of the initialisation vector, of the authentication tag, and of each half of the content key. */
const BLOCK_BYTES = 16

/**
 * Encrypts an answer as a flattened JWE with A128CBC-HS256 (RFC 7518, section 5.2; docs/contract.md#encrypted-answers).
 * Keeps its status and headers. `protected` is that of the request, byte for byte: jose would write another one, and
 * a client that joins the answer with its own header could not open it.
 */
export async function encryptAnswer(answer: Response, { contentKey, header }: AnswerKey): Promise<Response> {
  const macKey = await crypto.subtle.importKey(
    'raw',
    contentKey.subarray(0, BLOCK_BYTES),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const cipherKey = await crypto.subtle.importKey('raw', contentKey.subarray(BLOCK_BYTES), 'AES-CBC', false, [
    'encrypt',
  ])
  const iv = crypto.getRandomValues(new Uint8Array(BLOCK_BYTES))
  const plaintext = await answer.arrayBuffer()
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, cipherKey, plaintext)
  const headerBits = new DataView(new ArrayBuffer(8))
  headerBits.setBigUint64(0, BigInt(header.length) * 8n)
  const authenticated = await new Blob([header, iv, ciphertext, headerBits.buffer]).arrayBuffer()
  const tag = (await crypto.subtle.sign('HMAC', macKey, authenticated)).slice(0, BLOCK_BYTES)
  const headers = new Headers(answer.headers)
  headers.delete('Content-Length')
  headers.set('Content-Type', 'application/json')
  headers.set('X-Encryption', 'JWE')
  const [encodedIv, encodedText, encodedTag] = [iv, ciphertext, tag].map((bytes) =>
    base64url.encode(new Uint8Array(bytes)),
  )
  const jwe = { protected: header, iv: encodedIv, ciphertext: encodedText, tag: encodedTag }
  return new Response(utf8Encoder.encode(JSON.stringify(jwe)), { status: answer.status, headers })
}
