import { sql } from 'drizzle-orm'
import { REFUSAL_DAYS } from '#shared/limits'
import { type Database, int } from '#worker/storage/database'
import { isRefused } from '#worker/storage/placement/fences'
import { deleteHeld, HELD_FOLDER, heldKey } from './held-files'

/** What the scheduled run ends: files whose time is over, old entries of the list, and files without an entry. */

/** Rows that one statement changes or deletes. */
const UPLOADS_PER_STEP = 500

/** Objects that are compared with the databases at a time. */
const COMPARED_OBJECTS = 1000

/** Milliseconds for which a file without a row is left alone: its request may be about to write the row. */
const ORPHAN_MS = 3600 * 1000

const DAY_MS = 24 * 3600 * 1000

/** Catalogs whose workspace is here and takes writes. */
const SERVED_CATALOGS = sql`select catalog_id from catalogs where not ${isRefused(sql`catalogs.workspace_id`)}`

/** Files whose time is over no longer wait. @returns how many */
export async function expireFiles({ retrying, all }: Database, bucket: R2Bucket, now: Date): Promise<number> {
  const time = int(now.getTime())
  const expired = await retrying(() =>
    all(sql<{ upload_id: string }>`update uploads set outcome = 'expired'
      where upload_id in (select upload_id from uploads
        where outcome = 'held' and held_until <= ${time} and catalog_id in (${SERVED_CATALOGS})
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  await deleteHeld(
    bucket,
    expired.map((row) => row.upload_id),
  )
  return expired.length
}

/** Deletes refusals that are no longer listed. @returns how many */
export async function purgeUploads({ retrying, all }: Database, now: Date): Promise<number> {
  const purged = await retrying(() =>
    all(sql`delete from uploads where upload_id in (select upload_id from uploads
        where catalog_id in (${SERVED_CATALOGS}) and written_at is null and outcome <> 'held'
          and received_at <= ${int(now.getTime() - REFUSAL_DAYS * DAY_MS)}
        limit ${int(UPLOADS_PER_STEP)})
      returning upload_id`),
  )
  return purged.length
}

/** Of some uploads, those whose file waits according to a database: also one that is to arrive there, or was there. */
async function waiting({ all }: Database, uploadIds: readonly string[]): Promise<string[]> {
  const rows = await all(
    sql<{ upload_id: string }>`select upload_id from uploads
      where outcome = 'held' and upload_id in (select value from json_each(${JSON.stringify(uploadIds)}))`,
  )
  return rows.map((row) => row.upload_id)
}

/** First digits of ids: each run looks at the files whose id begins with the next one. */
const DIGITS = '0123456789abcdef'

/**
 * Deletes files of the bucket that no database knows as waiting: a request died between the two, the deletion failed,
 * or the workspace is no more. One sixteenth of them in each run.
 *
 * @param databases all of them: if one cannot be asked, nothing is deleted
 * @param turn number of the run
 * @returns how many
 */
export async function removeOrphans(
  databases: readonly Database[],
  bucket: R2Bucket,
  now: Date,
  turn: number,
): Promise<number> {
  const prefix = `${HELD_FOLDER}${DIGITS[turn % DIGITS.length]}`
  let count = 0
  for (let cursor: string | undefined; ; ) {
    const listed = await bucket.list({
      prefix,
      limit: COMPARED_OBJECTS,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const old = listed.objects.filter(({ uploaded }) => now.getTime() - uploaded.getTime() > ORPHAN_MS)
    const ids = old.map(({ key }) => key.slice(HELD_FOLDER.length))
    if (ids.length > 0) {
      const known = new Set((await Promise.all(databases.map((database) => waiting(database, ids)))).flat())
      const orphans = ids.filter((id) => !known.has(id))
      if (orphans.length > 0) await bucket.delete(orphans.map(heldKey))
      count += orphans.length
    }
    if (!listed.truncated) return count
    cursor = listed.cursor
  }
}
