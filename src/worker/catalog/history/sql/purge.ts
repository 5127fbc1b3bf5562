import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { versionBytes } from '#worker/catalog/write/sql/commit'
import { int } from '#worker/storage/database'
import { isRefused } from '#worker/storage/placement/fences'
import { ensureUpkeep, fromAnywhere, servedCatalog } from '#worker/storage/rounds'

/** The SQL that purges: versions of records, and writes whose changes are no longer kept. */

/**
 * Bytes that a write takes until its changes are purged: its row and its indexes. Each revision is one such write.
 */
const WRITE_BYTES = sql.raw('500')

/** Bytes of the history of a workspace: earlier versions, and the writes that made them. A sum over `catalogs`. */
export const historyBytes = sql`coalesce(sum(version_bytes) + ${WRITE_BYTES} * sum(revision - history_from), 0)`

/**
 * Bytes that the history of a workspace may take: as much as its quota, or as its records if they take more. Beside a
 * sum over its `catalogs`.
 */
const historyLimit = sql`max(sum(stored_bytes),
  (select bytes from workspace_quotas where workspace_id = catalogs.workspace_id))`

/** Versions of a catalog that end no later than a time. */
export interface Purged {
  catalog_id: number
  type: RecordTypeName
  /** The last write until then that changed something, as far as it is known. Older revisions cannot be restored. */
  revision: number
  ended_at: number
}

/** The revision of the last write that changed something until a time; null when it is no longer listed. */
const revisionAt = (time: SQL): SQL =>
  sql`(select revision from uploads indexed by uploads_written
    where catalog_id = c.catalog_id and written_at <= ${time} and revision > revision_before
    order by written_at desc limit 1)`

/** Some catalogs with versions that ended until a time. */
export const expiredVersions = (until: number): SQL<Purged> =>
  sql`select c.catalog_id, c.type, coalesce(${revisionAt(int(until))}, 0) as revision, ${int(until)} as ended_at
    from catalogs c
    where exists (select 1 from record_versions v where v.catalog_id = c.catalog_id and v.ended_at <= ${int(until)})
      and not ${isRefused(sql`c.workspace_id`)} ${fromAnywhere(sql`c.catalog_id`)}`

/** Some workspaces whose history takes more than it may. */
export const fullHistories = (): SQL<{ workspace_id: string }> =>
  sql`select workspace_id from catalogs where not ${isRefused(sql`catalogs.workspace_id`)}
    group by workspace_id having ${historyBytes} > ${historyLimit} ${fromAnywhere(sql`min(catalog_id)`)}`

/**
 * The oldest versions of a workspace whose history takes more than it may: whole writes of one
 * catalog, until there is room, or up to a number of versions. No row when there is room.
 */
export const oldestVersions = (workspaceId: string, most: number): SQL<Purged> => {
  const oldest = sql.raw(
    '(select ended_at from record_versions v where v.catalog_id = c.catalog_id order by ended_at limit 1)',
  )
  return sql`with c as materialized (select catalog_id, type, ${oldest} as oldest,
      (select ${historyBytes} - ${historyLimit} from catalogs where workspace_id = ${workspaceId}) as excess
      from catalogs c where workspace_id = ${workspaceId} and oldest is not null order by oldest limit 1),
    freed as materialized (select ended_at, excess, sum(${versionBytes}) over (order by ended_at, row_id)
        + ${WRITE_BYTES} * dense_rank() over (order by ended_at) as bytes
      from (select v.*, excess from c cross join record_versions v on v.catalog_id = c.catalog_id
        where excess > 0 order by v.ended_at, v.row_id limit ${int(most)})),
    until as materialized (
      select coalesce(min(ended_at) filter (where bytes >= excess), max(ended_at)) as ended_at from freed)
    select catalog_id, type, coalesce(${revisionAt(sql`until.ended_at`)}, 0) as revision, until.ended_at
    from c cross join until where until.ended_at is not null`
}

/** Deletes versions, at most a number of them; the second statement returns a row for each. */
export function purgeVersionsOf({ catalog_id, revision, ended_at }: Purged, most: number): [SQL, SQL<{ one: 1 }>] {
  const catalog = servedCatalog(catalog_id)
  const oldest = (columns: SQL) => sql`select ${columns} from record_versions
    where catalog_id = ${catalog} and ended_at <= ${int(ended_at)} order by ended_at, row_id limit ${int(most)}`
  return [
    sql`update catalogs set history_from = max(history_from, ${int(revision)}),
        version_bytes = version_bytes - (select coalesce(sum(bytes), 0) from (${oldest(sql`${versionBytes} as bytes`)}))
      where catalog_id = ${catalog}`,
    sql`delete from record_versions where catalog_id = ${catalog} and (ended_at, row_id) in
        (${oldest(sql`ended_at, row_id`)})
      returning 1 as one`,
  ]
}

/** Writes of a catalog up to a time, most of which may be purged. */
interface OldWrites {
  catalog_id: number
  before: number
}

/**
 * Some catalogs, and the time before which their writes may be purged. Without those that have only writes that
 * are kept.
 *
 * @param kept number of the newest writes of each catalog that are kept
 */
export const catalogsWithOldWrites = (before: number, kept: number): SQL<OldWrites> =>
  sql`select catalog_id, min(oldest, ${int(before)}) as before
    from (select catalog_id, (select written_at from uploads
        where catalog_id = c.catalog_id and written_at is not null
        order by written_at desc limit 1 offset ${int(kept - 1)}) as oldest
      from (select catalog_id from catalogs where not ${isRefused(sql`catalogs.workspace_id`)}
        ${fromAnywhere(sql`catalog_id`)}) as c)
    where oldest is not null`

/** Old writes of a catalog, from the one at which the last step ended. */
interface WritesInStep {
  n: number
  /** Time of the last one; null when there are none. */
  until: number | null
  /** They come after this time. */
  after: number
}

/** One row. */
export const nextOldWrites = ({ catalog_id, before }: OldWrites, most: number): SQL<WritesInStep> =>
  sql`select count(*) as n, max(written_at) as until, coalesce(max(after), 0) as after
    from (select written_at, after from (select coalesce(
          (select swept_write from catalog_upkeep where catalog_id = ${int(catalog_id)}), 0) as after)
        cross join uploads indexed by uploads_written
      where catalog_id = ${int(catalog_id)} and written_at > after and written_at < ${int(before)}
      order by written_at limit ${int(most)})`

/** A span of time, in milliseconds since the epoch. */
interface PurgedSpan {
  after: number
  until: number
  /** Writes with a key are purged until then. */
  keyedUntil: number
  /** Where the next step begins. */
  next: number
}

/**
 * Purges writes of a span of time. A write that changed something is kept while its changes are, and while a record
 * is as it left it: mirrors are told the revision. One with an idempotency key is kept longer.
 */
export const purgeWritesOf = (catalogId: number, { after, until, next, keyedUntil }: PurgedSpan): SQL[] => [
  sql`delete from uploads where rowid in (select b.rowid from uploads b indexed by uploads_written
    where b.catalog_id = ${servedCatalog(catalogId)} and b.written_at > ${int(after)} and b.written_at <= ${int(until)}
      and (b.idempotency_key is null or b.written_at <= ${int(keyedUntil)})
      and (b.revision = b.revision_before or (
        b.revision < (select history_from from catalogs where catalog_id = b.catalog_id)
        and not exists (select 1 from records indexed by records_list
          where catalog_id = b.catalog_id and is_active in (0, 1) and updated_at = b.written_at))))`,
  ensureUpkeep(catalogId),
  sql`update catalog_upkeep set swept_write = ${int(next)} where catalog_id = ${int(catalogId)}`,
]
