import { lte } from 'drizzle-orm'
import type { Database } from '#storage/database'
import { finishedLogins, loginCodes, sessions } from '#storage/schema/control'

/** Deletes what has expired, with the email addresses in it. @returns how many rows */
export async function purgeExpiredLogins({ orm, retrying }: Database, now: Date): Promise<number> {
  const expired = (table: typeof sessions | typeof loginCodes | typeof finishedLogins) =>
    orm.delete(table).where(lte(table.expiresAt, now.getTime())).returning({ expiresAt: table.expiresAt })
  const purged = await retrying(() =>
    orm.batch([expired(sessions), expired(loginCodes), expired(finishedLogins)]),
  )
  return purged.reduce((count, rows) => count + rows.length, 0)
}
