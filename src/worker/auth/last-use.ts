import { sql } from 'drizzle-orm'
import { logLine } from '#shared/errors/log-line'
import type { AppContext } from '#worker/http/context'
import { controlDatabase, int } from '#worker/storage/database'
import { BackgroundMeter } from '#worker/storage/meter'

/** A use is stored with its hour. */
const PRECISION_MS = 3600 * 1000

const ID_COLUMNS = { api_keys: 'api_key_id', partner_credentials: 'kid', encryption_keys: 'kid' } as const

/** A key as it was read, with the hour of its last use. */
export interface UsedKey {
  /** Start of the hour, in milliseconds since the epoch; null before the first use. */
  lastUsedAt: number | null
}

/**
 * Stores that a key was used, after the answer has been sent. Writes at most once an hour for each key, so most uses
 * of a cached key cost nothing. When the write fails, the log says so and the next use tries again.
 *
 * @param key changed, so that the same object does not write twice
 */
export function storeLastUse(c: AppContext, table: keyof typeof ID_COLUMNS, id: string, key: UsedKey, now: Date): void {
  const hour = Math.floor(now.getTime() / PRECISION_MS) * PRECISION_MS
  const before = key.lastUsedAt
  if (before !== null && before >= hour) return
  key.lastUsedAt = hour
  const write = controlDatabase(c.env, new BackgroundMeter(c.var.meter)).all(
    sql`update ${sql.identifier(table)} set last_used_at = ${int(hour)}
        where ${sql.identifier(ID_COLUMNS[table])} = ${id} and coalesce(last_used_at, 0) < ${int(hour)}`,
  )
  c.executionCtx.waitUntil(
    write.catch(() => {
      key.lastUsedAt = before
      logLine({ request_id: c.var.requestId, warning: `the last use of a key was not stored (${table})` })
    }),
  )
}
