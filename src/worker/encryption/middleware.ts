import { createMiddleware } from 'hono/factory'
import { ApiError } from '#shared/errors/errors'
import { storeLastUse } from '#worker/auth/last-use'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { readBody } from '#worker/http/body/body'
import type { AppContext, AppEnv } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { requireJson } from '#worker/http/endpoint/validation'
import { withBodySlot } from '#worker/http/limits/body-slots'
import { encryptAnswer, openBody } from './envelope'
import { type LiveKey, liveKey } from './live-keys'

/**
 * Encrypted bodies (docs/contract.md#encrypted-bodies): `readBody` returns the plaintext to handlers. Afterwards, their
 * response is encrypted. Without a caller, as for a 401, there is no key.
 */

/** The plaintext of a body with `X-Encryption`. Its verified key encrypts the response. @throws ApiError 400; 415 */
async function open(c: AppContext, bytes: Uint8Array): Promise<Uint8Array> {
  if (c.req.header('X-Encryption')?.trim().toUpperCase() !== 'JWE') {
    throw new ApiError('invalid_request', 'The header X-Encryption must be JWE or absent.')
  }
  requireJson(c)
  const { workspaceId } = c.var.caller
  const now = new Date()
  const masterKeys = await masterKeysOf(c.env)
  let key: LiveKey | null | undefined
  // Uses four times the size of the body.
  const { plaintext, ...answerKey } = await withBodySlot(c, bytes.byteLength, () =>
    openBody(bytes, async (kid) => {
      key = await liveKey(controlDatabaseOf(c), masterKeys, workspaceId, kid, now)
      return key?.contentKey
    }),
  )
  if (key) storeLastUse(c, 'encryption_keys', key.kid, key, now)
  c.set('answerKey', answerKey)
  return plaintext
}

/** Reads the body of a rejected request, only to find the key that encrypts the error. @throws ApiError 413 */
async function proveKey(c: AppContext): Promise<void> {
  try {
    await readBody(c)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'payload_too_large') throw error
  }
}

/** Makes `readBody` decrypt. The last middleware, within the limits of size and time. */
export const decryptBodies = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('X-Encryption') === undefined) return next()
  c.set('openBody', (bytes) => open(c, bytes))
  await next()
  const { caller, endpoint } = c.var
  const mayProve = endpoint?.takesEncrypted === true && caller !== undefined && !c.req.raw.bodyUsed
  if (mayProve && !c.res.ok) await proveKey(c)
})

/** Encrypts the response if a key is verified. Runs outside the deadline, so that a 504 is encrypted, too. */
export const encryptAnswers = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { answerKey } = c.var
  if (answerKey === undefined) return
  const encryptedAnswer = await encryptAnswer(c.res, answerKey)
  // Otherwise Hono would copy headers that must not be sent.
  c.res = undefined
  c.res = encryptedAnswer
})
