import { lte } from 'drizzle-orm'
import { retrying } from '#storage/d1'
import type { Database } from '#storage/database'
import { registrations } from '#storage/schema/workspace'

/**
 * Deletes expired registrations, with their numbers and names.
 *
 * @param database a database that holds workspaces
 * @returns how many were deleted
 */
export async function purgeExpiredRegistrations({ orm }: Database, now: Date): Promise<number> {
  const purged = await retrying(() =>
    orm
      .delete(registrations)
      .where(lte(registrations.expiresAt, now.getTime()))
      .returning({ registrationId: registrations.registrationId }),
  )
  return purged.length
}
