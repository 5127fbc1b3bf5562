import { sql } from 'drizzle-orm'
import { REFUSAL_DAYS } from '#shared/limits'
import type { Bucket } from '#worker/storage/bucket'
import { type Database, int } from '#worker/storage/database'
import { isRefused } from '#worker/storage/placement/fences'
import { deleteHeld } from './held-files'

/** What the scheduled run ends: files whose time is over, and old entries of the list. */

/** Rows that one statement changes or deletes. */
const UPLOADS_PER_STEP = 500

const DAY_MS = 24 * 3600 * 1000

/** Catalogs whose workspace is here and takes writes. */
const SERVED_CATALOGS = sql`select catalog_id from catalogs where not ${isRefused(sql`catalogs.workspace_id`)}`

/** Files whose time is over no longer wait. @returns how many */
export async function expireFiles({ retry, all }: Database, bucket: Bucket, now: Date): Promise<number> {
  const time = int(now.getTime())
  const expiredRows = await retry(() =>
    all(sql<{ upload_id: string }>`update uploads set outcome = 'expired'
      where upload_id in (select upload_id from uploads
        where outcome = 'held' and held_until <= ${time} and catalog_id in (${SERVED_CATALOGS})
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  await deleteHeld(
    bucket,
    expiredRows.map((row) => row.upload_id),
  )
  return expiredRows.length
}

/** Deletes refusals that are no longer listed. @returns how many */
export async function purgeUploads({ retry, all }: Database, now: Date): Promise<number> {
  const purgedRows = await retry(() =>
    all(sql`delete from uploads where upload_id in (select upload_id from uploads
        where catalog_id in (${SERVED_CATALOGS}) and written_at is null and outcome <> 'held'
          and received_at <= ${int(now.getTime() - REFUSAL_DAYS * DAY_MS)}
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  return purgedRows.length
}
