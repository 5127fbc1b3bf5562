import { base64url } from 'jose'
import { utf8Encoder } from '#shared/text/utf8'
import type { AnswerKey } from '#worker/http/context'
import { A128CbcHs256, BLOCK_BYTES, concat } from './a128cbc-hs256'

/** Pieces of plaintext are multiples of the cipher's block and of base64's group, so that no bytes are left over. */
const ENCRYPTED_BYTES = 3 * BLOCK_BYTES

/** Turns a plaintext into the text of a flattened JWE while it is sent. */
function encryption({ contentKey, header }: AnswerKey): TransformStream<Uint8Array, Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(BLOCK_BYTES))
  let cipher: A128CbcHs256
  let rest: Uint8Array = new Uint8Array()
  return new TransformStream<Uint8Array, Uint8Array>({
    async start(controller) {
      cipher = await A128CbcHs256.start(contentKey, iv, utf8Encoder.encode(header))
      const head = `{"protected":"${header}","iv":"${base64url.encode(iv)}","ciphertext":"`
      controller.enqueue(utf8Encoder.encode(head))
    },
    async transform(chunk, controller) {
      const bytes = concat(rest, chunk)
      const whole = bytes.byteLength - (bytes.byteLength % ENCRYPTED_BYTES)
      rest = bytes.subarray(whole)
      const ciphertext = await cipher.update(bytes.subarray(0, whole))
      controller.enqueue(utf8Encoder.encode(base64url.encode(ciphertext)))
    },
    async flush(controller) {
      const { ciphertext, tag } = await cipher.finish(rest)
      controller.enqueue(
        utf8Encoder.encode(`${base64url.encode(ciphertext)}","tag":"${base64url.encode(tag)}"}`),
      )
    },
  })
}

/**
 * An answer as a flattened JWE (docs/contract.md#encrypted-answers), with its status and headers. Only the
 * piece that is being sent is in memory.
 */
export function encryptAnswer(answer: Response, key: AnswerKey): Response {
  const headers = new Headers(answer.headers)
  headers.delete('Content-Length')
  headers.set('Content-Type', 'application/json')
  headers.set('X-Encryption', 'JWE')
  const plaintext = answer.body ?? new Blob([]).stream()
  return new Response(plaintext.pipeThrough(encryption(key)), { status: answer.status, headers })
}
