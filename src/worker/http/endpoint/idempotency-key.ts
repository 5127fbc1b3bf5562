import * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '#shared/limits'
import type { AppContext } from '#worker/http/context'

/** With this header, a client that got no response repeats its request (docs/contract.md#idempotency-keys). */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/** @param rule what the key identifies, and when it is ignored */
export const idempotencyHeader = (rule: string) =>
  z.object({
    [IDEMPOTENCY_HEADER]: z
      .string()
      .optional()
      .describe(
        `${rule} 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters. If the same request is sent again ` +
          'with the same key, it is not repeated but returns the first response, with `Idempotency-Replayed: true`. ' +
          'Another request with the key returns 422.',
      ),
  })

/** The key of a request; null if none was sent. @throws ApiError 400 for a malformed one */
export function idempotencyKeyOf(c: AppContext): string | null {
  const key = c.req.header(IDEMPOTENCY_HEADER)
  if (key === undefined) return null
  if (/^[ -~]+$/.test(key) && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return key
  const msg = `must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters`
  throw invalidField(IDEMPOTENCY_HEADER, 'malformed', msg, key, { min: 1, limit: MAX_IDEMPOTENCY_KEY_LENGTH })
}

export const setReplayed = (c: AppContext): void => c.header('Idempotency-Replayed', 'true')
