import { type SQL, sql } from 'drizzle-orm'
import { versionBytes } from '#catalog/sql/commit'
import { type Database, int } from '#storage/database'

/**
 * Versions that one statement deletes. It takes some ten milliseconds, during which the database answers nothing
 * else.
 */
const VERSIONS_PER_STEP = 1000

/** Steps of one run. The next run does the rest. */
const MOST_STEPS = 40

interface ExpiredVersions {
  catalog_id: number
  /** The last revision before the limit: versions that ended with it or earlier are deleted. */
  revision: number
  made_at: number
}

/**
 * Deletes the versions of records that ended before a time. The first step also raises the catalog's oldest
 * restorable revision, in the same transaction, so that this revision is right at every moment.
 *
 * @param endedBefore milliseconds since the epoch
 * @returns number of steps that had something to do
 */
export async function forgetVersions(db: Database, endedBefore: number): Promise<number> {
  const until = int(endedBefore)
  const catalogs = await db.all<ExpiredVersions>(
    sql`select c.catalog_id, b.revision, b.written_at as made_at
      from catalogs c cross join batches b on b.rowid = (select rowid from batches indexed by batches_written
        where catalog_id = c.catalog_id and written_at <= ${until} and revision > revision_before
        order by written_at desc limit 1)
      where exists (select 1 from record_versions v where v.catalog_id = c.catalog_id and v.ended_at <= ${until})
      limit ${int(MOST_STEPS)}`,
  )
  let steps = 0
  for (const catalog of catalogs) {
    for (let deleted = VERSIONS_PER_STEP; deleted === VERSIONS_PER_STEP && steps < MOST_STEPS; steps++) {
      deleted = await forgetStep(db, catalog)
    }
  }
  return steps
}

/**
 * Deletes the oldest versions of each workspace whose versions take more bytes than its quota and more than its records,
 * until they take less than one of the two.
 *
 * @returns number of steps that had something to do
 */
export async function forgetExcess(db: Database): Promise<number> {
  let steps = 0
  for (; steps < MOST_STEPS; steps++) {
    const [catalog] = await db.all<ExpiredVersions>(oldestExcess)
    if (catalog === undefined) break
    await forgetStep(db, catalog)
  }
  return steps
}

/** The write that ended the oldest versions of one such workspace. */
const oldestExcess = sql`select c.catalog_id, b.revision, b.written_at as made_at
  from catalogs c
    cross join batches b on b.rowid = (select rowid from batches indexed by batches_written
      where catalog_id = c.catalog_id and written_at >=
        (select ended_at from record_versions where catalog_id = c.catalog_id order by ended_at limit 1)
        and revision > revision_before
      order by written_at limit 1)
  where c.version_bytes > 0 and c.workspace_id in
    (select workspace_id from catalogs group by workspace_id having sum(version_bytes) > max(max(quota_bytes), sum(stored_bytes)))
  order by c.workspace_id, b.written_at limit 1`

/** @returns number of versions that it deleted */
async function forgetStep(db: Database, { catalog_id, revision, made_at }: ExpiredVersions): Promise<number> {
  const catalog = int(catalog_id)
  const oldest = (columns: SQL) => sql`select ${columns} from record_versions
    where catalog_id = ${catalog} and ended_at <= ${int(made_at)} order by ended_at, row_id limit ${int(VERSIONS_PER_STEP)}`
  const [, deleted] = await db.batch([
    sql`update catalogs set history_from = max(history_from, ${int(revision)}),
        version_bytes = version_bytes - (select coalesce(sum(bytes), 0) from (${oldest(sql`${versionBytes} as bytes`)}))
      where catalog_id = ${catalog}`,
    sql`delete from record_versions where catalog_id = ${catalog} and (ended_at, row_id) in
        (${oldest(sql`ended_at, row_id`)})
      returning 1 as one`,
  ])
  return deleted!.length
}
