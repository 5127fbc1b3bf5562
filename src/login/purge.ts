import { lte } from 'drizzle-orm'
import { retrying } from '#storage/d1'
import type { Database } from '#storage/database'
import { finishedLogins, loginCodes, sessions } from '#storage/schema/control'

/**
 * Deletes expired sessions, one-time codes and marks of finished logins, with the email addresses in them.
 *
 * @returns how many were deleted
 */
export async function purgeExpiredLogins({ orm }: Database, now: Date): Promise<number> {
  const time = now.getTime()
  const purged = await retrying(() =>
    orm.batch([
      orm.delete(sessions).where(lte(sessions.expiresAt, time)).returning({ expiresAt: sessions.expiresAt }),
      orm
        .delete(loginCodes)
        .where(lte(loginCodes.expiresAt, time))
        .returning({ expiresAt: loginCodes.expiresAt }),
      orm
        .delete(finishedLogins)
        .where(lte(finishedLogins.expiresAt, time))
        .returning({ expiresAt: finishedLogins.expiresAt }),
    ]),
  )
  return purged.reduce((count, rows) => count + rows.length, 0)
}
