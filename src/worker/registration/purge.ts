import { lte } from 'drizzle-orm'
import type { Database } from '#worker/storage/database'
import { registrations } from '#worker/storage/schema/workspace'

/** With their numbers and names. @returns how many were deleted */
export async function purgeExpiredRegistrations({ orm, retrying }: Database, now: Date): Promise<number> {
  const purged = await retrying(() =>
    orm
      .delete(registrations)
      .where(lte(registrations.expiresAt, now.getTime()))
      .returning({ registrationId: registrations.registrationId }),
  )
  return purged.length
}
