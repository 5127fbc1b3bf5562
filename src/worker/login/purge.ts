import { lte } from 'drizzle-orm'
import { ACCESS_TOKEN_SECONDS } from '#shared/limits'
import type { Database } from '#worker/storage/database'
import { finishedLogins, loginCodes, sessions } from '#worker/storage/schema/control'

/**
 * Deletes what has expired, with the email addresses in it. Sessions stay as long as the last access token that was
 * made of them, because a token ends with the row of its session.
 *
 * @returns how many rows
 */
export async function purgeExpiredLogins({ orm, retrying }: Database, now: Date): Promise<number> {
  const expired = (table: typeof sessions | typeof loginCodes | typeof finishedLogins, keptSeconds = 0) =>
    orm
      .delete(table)
      .where(lte(table.expiresAt, now.getTime() - keptSeconds * 1000))
      .returning({ expiresAt: table.expiresAt })
  const purged = await retrying(() =>
    orm.batch([expired(sessions, ACCESS_TOKEN_SECONDS), expired(loginCodes), expired(finishedLogins)]),
  )
  return purged.reduce((count, rows) => count + rows.length, 0)
}
