import { and, lte, not, sql } from 'drizzle-orm'
import type { Database } from '#worker/storage/database'
import { isRefused } from '#worker/storage/placement/fences'
import { registrations } from '#worker/storage/schema/workspace'

/** With their numbers and names. @returns how many were deleted */
export async function purgeExpiredRegistrations({ orm, retrying }: Database, now: Date): Promise<number> {
  const purged = await retrying(() =>
    orm
      .delete(registrations)
      .where(and(lte(registrations.expiresAt, now.getTime()), not(isRefused(sql`registrations.workspace_id`))))
      .returning({ registrationId: registrations.registrationId }),
  )
  return purged.length
}
