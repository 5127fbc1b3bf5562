import { sql } from 'drizzle-orm'
import { type Database, int } from '#worker/storage/database'
import { isRefused } from '#worker/storage/placement/fences'
import { deleteHeld } from './held-files'

/** What the scheduled run ends: files whose time is over, and old entries of the list. */

/** Rows that one statement changes or deletes. */
const UPLOADS_PER_STEP = 500

/** Files whose time is over no longer wait. @returns how many */
export async function expireFiles({ retrying, all }: Database, bucket: R2Bucket, now: Date): Promise<number> {
  const time = int(now.getTime())
  const expired = await retrying(() =>
    all(sql<{ upload_id: string }>`update uploads set outcome = 'expired', ended_at = ${time}
      where upload_id in (select upload_id from uploads
        where outcome = 'held' and held_until <= ${time} and not ${isRefused(sql`uploads.workspace_id`)}
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  await deleteHeld(
    bucket,
    expired.map((row) => row.upload_id),
  )
  return expired.length
}

/** Deletes old entries of the list. @returns how many */
export async function purgeUploads({ retrying, all }: Database, now: Date): Promise<number> {
  const purged = await retrying(() =>
    all(sql`delete from uploads where upload_id in (select upload_id from uploads
        where expires_at <= ${int(now.getTime())} and outcome <> 'held' and not ${isRefused(sql`uploads.workspace_id`)}
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  return purged.length
}
