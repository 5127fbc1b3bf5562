import { type SQL, sql } from 'drizzle-orm'
import { IDEMPOTENCY_DAYS } from '#shared/limits'
import { historyBytes, purgedBeyond, WRITE_BYTES } from '#worker/catalog/write/sql/history-size'
import { versionBytes } from '#worker/catalog/write/sql/write'
import { int } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { fromRandomCatalog, takeSteps } from '#worker/storage/scheduled-steps'

/** Rows deleted per step: about 30 ms, which block the database. */
const VERSIONS_PER_STEP = 10_000

/** Enough for a run to purge what a workspace can add until the next (`HISTORY_GROWTH`), at 130 bytes per version. */
const VERSION_STEPS = 140

/**
 * Deletes versions that ended before a time (milliseconds), and the oldest of each workspace beyond `purgedBeyond`. The
 * transaction of a step also raises the oldest restorable revision.
 *
 * @returns number of steps
 */
export async function purgeVersions(db: ServedDatabase, endedBefore: number, mayGoOn = () => true): Promise<number> {
  const workspaces = await db.all(workspacesToPurge(db, endedBefore))
  const step = async ({ workspace_id }: { workspace_id: string }) => {
    const [oldVersions] = await db.all(versionsToPurge(workspace_id, endedBefore, VERSIONS_PER_STEP))
    if (oldVersions) await db.batch(purgeVersionsOf(oldVersions, VERSIONS_PER_STEP))
    return oldVersions !== undefined
  }
  return takeSteps(workspaces, step, { most: VERSION_STEPS, mayGoOn })
}

const WRITES_PER_STEP = 1000

/** Newest writes of a catalog that are always kept, even those that changed nothing. */
const KEPT_WRITES = 1000

/** Milliseconds for which every write is kept, because the service looks for it after a lost response. */
const KEPT_WRITES_MS = 6 * 3600 * 1000

const DAY_MS = 24 * 3600 * 1000

/**
 * Purges writes that changed nothing, and those whose changes are no longer kept (docs/contract.md#writes).
 *
 * @param keptCount number of newest writes to keep per catalog
 * @returns number of steps
 */
export async function purgeWrites(db: ServedDatabase, now: number, keptCount = KEPT_WRITES): Promise<number> {
  const catalogs = await db.all(catalogsWithOldWrites(db, now - KEPT_WRITES_MS, keptCount))
  return takeSteps(catalogs, async (catalog) => {
    const { n, until, after } = await db.one(nextOldWrites(catalog, WRITES_PER_STEP))
    const hasMore = n === WRITES_PER_STEP
    const end = until ?? after
    // The last step starts again with the oldest, because more may be purged by then.
    if (end > 0) {
      const span = { after, until: end, keyedUntil: now - IDEMPOTENCY_DAYS * DAY_MS, next: hasMore ? end : 0 }
      await db.batch(purgeWritesOf(catalog.catalog_id, span))
    }
    return hasMore
  })
}

/** Some workspaces with versions that ended before a time, or whose history exceeds its limit. */
const workspacesToPurge = ({ serves }: ServedDatabase, until: number): SQL<{ workspace_id: string }> =>
  sql`select workspace_id from catalogs
    where ${serves(sql`catalogs.workspace_id`)}
    group by workspace_id
    having ${historyBytes} > ${purgedBeyond} or max(exists (
      select 1 from record_versions
      where record_versions.catalog_id = catalogs.catalog_id and ended_at <= ${int(until)}))
    ${fromRandomCatalog(sql`min(catalog_id)`)}`

/** Versions of a catalog that ended by a time, and the revision of the last known change by then. */
type PurgedVersions = Record<'catalog_id' | 'revision' | 'ended_at', number>

/** The oldest versions of a workspace that ended by a time or exceed its limit: whole writes of one catalog. */
const versionsToPurge = (workspaceId: string, until: number, most: number): SQL<PurgedVersions> =>
  sql`with oldest as materialized (
      select catalog_id, (
          select ended_at from record_versions
          where record_versions.catalog_id = catalogs.catalog_id
          order by ended_at limit 1) as ended_at
      from catalogs
      where workspace_id = ${workspaceId} and ended_at is not null
      order by ended_at limit 1),
    history as materialized (
      select ${historyBytes} - ${purgedBeyond} as excess from catalogs where workspace_id = ${workspaceId}),
    freed as (
      select ended_at,
        sum(bytes) over (order by ended_at, row_id) - bytes
          + ${WRITE_BYTES} * (dense_rank() over (order by ended_at) - 1) as bytes_before
      from (
        select versions.ended_at, row_id, ${versionBytes} as bytes
        from oldest cross join record_versions as versions on versions.catalog_id = oldest.catalog_id
        order by versions.ended_at, row_id limit ${int(most)})),
    purged as materialized (
      select max(ended_at) as ended_at from freed cross join history
      where ended_at <= ${int(until)} or bytes_before < excess)
    select catalog_id, purged.ended_at, coalesce((
        select revision from uploads indexed by uploads_written
        where uploads.catalog_id = oldest.catalog_id and written_at <= purged.ended_at and revision > revision_before
        order by written_at desc limit 1), 0) as revision
    from oldest cross join purged
    where purged.ended_at is not null`

function purgeVersionsOf({ catalog_id, revision, ended_at }: PurgedVersions, most: number): SQL[] {
  const catalog = int(catalog_id)
  const oldest = (columns: SQL) => sql`select ${columns} from record_versions
    where catalog_id = ${catalog} and ended_at <= ${int(ended_at)} order by ended_at, row_id limit ${int(most)}`
  return [
    sql`update catalogs set history_from = max(history_from, ${int(revision)}),
        version_bytes = version_bytes - (select coalesce(sum(bytes), 0) from (${oldest(sql`${versionBytes} as bytes`)}))
      where catalog_id = ${catalog}`,
    sql`delete from record_versions
      where catalog_id = ${catalog} and (ended_at, row_id) in (${oldest(sql`ended_at, row_id`)})`,
  ]
}

/** A catalog, and the time before which its writes may be purged. */
type OldWrites = Record<'catalog_id' | 'before', number>

const catalogsWithOldWrites = ({ serves }: ServedDatabase, before: number, kept: number): SQL<OldWrites> =>
  sql`select catalog_id, min(oldest, ${int(before)}) as before
    from (
      select catalog_id, (
          select written_at from uploads
          where uploads.catalog_id = served.catalog_id and written_at is not null
          order by written_at desc limit 1 offset ${int(kept - 1)}) as oldest
      from (
        select catalog_id from catalogs
        where ${serves(sql`catalogs.workspace_id`)}
        ${fromRandomCatalog(sql`catalog_id`)}) as served)
    where oldest is not null`

/** One row: the number of writes to purge next, the start of their span, and the last one's time; null if none. */
const nextOldWrites = ({ catalog_id, before }: OldWrites, most: number) =>
  sql<{
    n: number
    until: number | null
    after: number
  }>`select count(*) as n, max(written_at) as until, coalesce(max(after), 0) as after
    from (select uploads.written_at, writes_purged_until as after
      from catalogs cross join uploads indexed by uploads_written on uploads.catalog_id = catalogs.catalog_id
      where catalogs.catalog_id = ${int(catalog_id)} and uploads.written_at > writes_purged_until
        and uploads.written_at < ${int(before)}
      order by uploads.written_at limit ${int(most)})`

/**
 * Purges writes of a span of time. A write that changed anything is kept while its changes are kept, and while any
 * record is as the write left it.
 *
 * @param keyedUntil time up to which writes with a key are purged
 * @param next start of the next step
 */
const purgeWritesOf = (
  catalogId: number,
  { after, until, next, keyedUntil }: Record<'after' | 'until' | 'next' | 'keyedUntil', number>,
): SQL[] => [
  sql`delete from uploads where rowid in (
    select rowid from uploads as old indexed by uploads_written
    where catalog_id = ${int(catalogId)} and written_at > ${int(after)} and written_at <= ${int(until)}
      and (idempotency_key is null or written_at <= ${int(keyedUntil)})
      and (revision = revision_before or (
        revision < (select history_from from catalogs where catalogs.catalog_id = old.catalog_id)
        and not exists (
          select 1 from records indexed by records_list
          where records.catalog_id = old.catalog_id and is_active in (0, 1) and written_at = old.written_at))))`,
  sql`update catalogs set writes_purged_until = ${int(next)} where catalog_id = ${int(catalogId)}`,
]
