import { and, eq, sql } from 'drizzle-orm'
import { logLine } from '#shared/errors/log-line'
import type { AppContext } from '#worker/http/context'
import { controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { apiKeys, encryptionKeys, partnerCredentials } from '#worker/storage/schema/control'

const PRECISION_MS = 3600 * 1000

const KEYS = {
  api_keys: apiKeys.apiKeyId,
  partner_credentials: partnerCredentials.kid,
  encryption_keys: encryptionKeys.kid,
}

/** A key with the hour of its last use. */
export interface UsedKey {
  /** Start of the hour, in milliseconds since the epoch; null before the first use. */
  lastUsedAt: number | null
}

/**
 * Stores the use of a key after the response, at most once an hour. If that fails, the next use tries again.
 *
 * @param key updated, so that the same object does not write twice
 */
export function storeLastUse(c: AppContext, kind: keyof typeof KEYS, id: string, key: UsedKey, now: Date): void {
  const hour = Math.floor(now.getTime() / PRECISION_MS) * PRECISION_MS
  const before = key.lastUsedAt
  if (before !== null && before >= hour) return
  key.lastUsedAt = hour
  const { orm } = controlDatabase(c.env, new Meter())
  const isEarlier = sql`coalesce(last_used_at, 0) < ${hour}`
  const write = orm
    .update(KEYS[kind].table)
    .set({ lastUsedAt: hour })
    .where(and(eq(KEYS[kind], id), isEarlier))
  c.executionCtx.waitUntil(
    write.run().catch(() => {
      key.lastUsedAt = before
      logLine({ request_id: c.var.requestId, warning: `the last use of a key was not stored (${kind})` })
    }),
  )
}
