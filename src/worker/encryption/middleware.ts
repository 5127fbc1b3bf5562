import { createMiddleware } from 'hono/factory'
import { ApiError } from '#shared/errors/errors'
import { noteUse } from '#worker/auth/last-use'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { readBody } from '#worker/http/body/body'
import type { AnswerKey, AppContext, AppEnv } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { requireJson } from '#worker/http/endpoint/validation'
import { inTurn } from '#worker/http/sharing/turns'
import { encryptAnswer } from './encrypt-answer'
import { type LiveKey, liveKey } from './live-keys'
import { openBody } from './open'

/**
 * Encrypted request and response bodies (docs/contract.md#encrypted-bodies), for every POST of a caller with a
 * workspace. Endpoints need no code for it: `readBody` gives them the plaintext, and their answer is encrypted
 * afterwards, refusals and faults included.
 *
 * Answers before there is a caller, such as a 401, are not encrypted: without a workspace there is no key.
 */

/** Decrypts a body with a shared key of the caller's workspace. @throws ApiError 400 if it cannot be decrypted */
async function decrypted(
  c: AppContext,
  received: Uint8Array,
): Promise<AnswerKey & { plaintext: Uint8Array }> {
  const { workspaceId } = c.var.caller
  const now = new Date()
  const masterKeys = await masterKeysOf(c.env)
  // Takes four times the size of the body.
  let key: LiveKey | null | undefined
  const opened = await inTurn(c, received.byteLength, () =>
    openBody(received, async (kid) => {
      key = await liveKey(controlDatabaseOf(c), masterKeys, workspaceId, kid, now)
      return key?.contentKey
    }),
  )
  if (key) noteUse(c, 'encryption_keys', key.kid, key, now)
  return opened
}

/**
 * The plaintext of a body with `X-Encryption`. The sender has proven the key, which then encrypts the answer.
 *
 * @throws ApiError 400 for another scheme, an endpoint without a workspace or for tokens, and a body that cannot
 *   be decrypted; 415
 */
async function open(c: AppContext, received: Uint8Array): Promise<Uint8Array> {
  const { caller, endpoint } = c.var
  if (caller === undefined || endpoint?.access.kind === 'partner') {
    throw new ApiError(
      'invalid_request',
      'This endpoint does not take encrypted bodies. Send the body as plain JSON, without X-Encryption.',
    )
  }
  if (c.req.header('X-Encryption')?.trim().toUpperCase() !== 'JWE') {
    throw new ApiError('invalid_request', 'The header X-Encryption must be JWE or absent.')
  }
  requireJson(c)
  const { plaintext, ...answerKey } = await decrypted(c, received)
  c.set('answerKey', answerKey)
  return plaintext
}

/**
 * The plaintext of an encrypted body that was stored as it came. It proves nothing about who asks for it now, so the
 * answer is not encrypted.
 *
 * @throws ApiError 409 if its key was revoked since
 */
export async function openStored(c: AppContext, stored: Uint8Array): Promise<Uint8Array> {
  try {
    return (await decrypted(c, stored)).plaintext
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
    throw new ApiError(
      'conflict',
      'The key with which the file was encrypted has been revoked, so the file cannot be read any more. Send it again.',
      { reason: error.details.reason },
    )
  }
}

/**
 * Reads the body of a request that was refused before its body was read, only to find the key that encrypts the
 * refusal. If that fails, the refusal is sent unencrypted.
 *
 * @throws ApiError 413: the size comes before every other check
 */
async function proveKey(c: AppContext): Promise<void> {
  try {
    await readBody(c)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'payload_too_large') throw error
  }
}

/** Makes `readBody` decrypt. The last of the middlewares, inside the limits of size and time. */
export const decryptBodies = createMiddleware<AppEnv>(async (c, next) => {
  const encrypted = c.req.method === 'POST' && c.req.header('X-Encryption') !== undefined
  if (encrypted) c.set('openBody', (received) => open(c, received))
  await next()
  if (encrypted && !c.res.ok && c.var.caller !== undefined && !c.req.raw.bodyUsed) await proveKey(c)
})

/**
 * Encrypts the answer when a key is proven. Registered before the deadline, so that the deadline's refusal is
 * encrypted too.
 */
export const encryptAnswers = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { answerKey } = c.var
  if (answerKey === undefined) return
  const encrypted = encryptAnswer(c.res, answerKey)
  // Otherwise Hono would copy headers that must not be sent.
  c.res = undefined
  c.res = encrypted
})
