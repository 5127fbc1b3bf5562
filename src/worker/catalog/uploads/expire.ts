import { type SQL, sql } from 'drizzle-orm'
import { REFUSAL_DAYS } from '#shared/limits'
import type { Bucket } from '#worker/storage/bucket'
import { int } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { deleteHeld } from './held-files'

/** What the scheduled run ends: files whose time is over, and old entries of the list. */

const UPLOADS_PER_STEP = 500

const DAY_MS = 24 * 3600 * 1000

const servedCatalogs = ({ serves }: ServedDatabase): SQL =>
  sql`select catalog_id from catalogs where ${serves(sql`catalogs.workspace_id`)}`

/** Files whose time is over no longer wait. @returns how many */
export async function expireFiles(database: ServedDatabase, bucket: Bucket, now: Date): Promise<number> {
  const { retry, all } = database
  const time = int(now.getTime())
  const expiredRows = await retry(() =>
    all(sql<{ upload_id: string }>`update uploads set outcome = 'expired'
      where upload_id in (select upload_id from uploads
        where outcome = 'held' and held_until <= ${time} and catalog_id in (${servedCatalogs(database)})
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
export async function purgeUploads(database: ServedDatabase, now: Date): Promise<number> {
  const { retry, all } = database
  const purgedRows = await retry(() =>
    all(sql`delete from uploads where upload_id in (select upload_id from uploads
        where catalog_id in (${servedCatalogs(database)}) and written_at is null and outcome <> 'held'
          and received_at <= ${int(now.getTime() - REFUSAL_DAYS * DAY_MS)}
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  return purgedRows.length
}
