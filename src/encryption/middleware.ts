import { createMiddleware } from 'hono/factory'
import { noteUse } from '#auth/last-use'
import { masterKeysOf } from '#crypto/master-keys'
import { ApiError } from '#errors/errors'
import { readBody } from '#http/body/body'
import type { AppContext, AppEnv } from '#http/context'
import { controlDatabaseOf } from '#http/databases'
import { requireJson } from '#http/endpoint/validation'
import { inTurn } from '#http/sharing/turns'
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
  const now = new Date()
  const masterKeys = await masterKeysOf(c.env)
  // Takes four times the size of the body.
  let key: LiveKey | null | undefined
  const { plaintext, ...answerKey } = await inTurn(c, received.byteLength, () =>
    openBody(received, async (kid) => {
      key = await liveKey(controlDatabaseOf(c), masterKeys, caller.workspaceId, kid, now)
      return key?.contentKey
    }),
  )
  if (key) noteUse(c, 'encryption_keys', key.kid, key, now)
  c.set('answerKey', answerKey)
  return plaintext
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
