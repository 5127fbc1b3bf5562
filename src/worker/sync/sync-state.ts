import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { lastOfProgram, ofProgram, outcomeAt } from '#worker/catalog/uploads/sql/uploads'
import { int } from '#worker/storage/database'

/**
 * Whether integrations keep a catalog up to date, computed from times when it is read. Changes in the console do not
 * count, because they must not hide a job that died.
 */

export const SYNC_STATES = ['unwatched', 'late', 'refused', 'on_time'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** Times are milliseconds since the epoch. */
export interface SyncRow {
  type: RecordTypeName
  state: SyncState
  /** Start of the state. This and the next are null for a catalog that is not monitored. */
  since: number | null
  due_at: number | null
  /** Time of the last write by an integration, or of the last approval of its upload; null if never. */
  last_success_at: number | null
  /** The newest upload by an integration. A dry run does not count until it is approved. */
  last_upload_id: string | null
}

const AN_HOUR = sql.raw(String(3600 * 1000))

/**
 * The first rejection after the last success, otherwise the newest upload: an upload may be approved after a later one
 * was rejected. If an upload pending since before the success was sent again after it, the later time counts.
 */
const refusedSince = sql`coalesce((
    select min(iif(coalesce(refusal.held_since, refusal.received_at) > coalesce(catalogs.last_success_at, 0),
      refusal.created_at, refusal.last_at))
    from uploads refusal
    where refusal.catalog_id = catalogs.catalog_id and ${ofProgram('refusal')}
      and refusal.received_at > coalesce(catalogs.last_success_at, 0)), uploads.created_at)`

/**
 * Catalogs with their states: rows of a `SyncRow`, with further columns.
 *
 * @param columns include `workspace_id` and `type`
 * @param from includes `watches` and `catalogs`, whose rows may be missing
 * @param now time that decides whether they are late
 */
export const withSyncState = ({ columns, from, now }: { columns: SQL; from: SQL; now: number }): SQL =>
  sql`select *, case state when 'late' then due_at when 'refused' then refused_since
      when 'on_time' then
        iif(notified_state = 'on_time', notified_since, coalesce(last_success_at, set_at)) end as since
    from (select *, case when every_hours is null then 'unwatched' when due_at < ${int(now)} then 'late'
        when last_outcome not in ('written', 'unchanged', 'approved') then 'refused' else 'on_time' end as state
      from (select ${columns}, watches.every_hours, watches.set_at, watches.notified_state, watches.notified_since,
          watches.notified_upload_at, catalogs.last_success_at,
          coalesce(catalogs.last_success_at, watches.set_at)
            + (watches.every_hours + watches.grace_hours) * ${AN_HOUR} as due_at,
          uploads.upload_id as last_upload_id, ${outcomeAt(now)} as last_outcome, ${refusedSince} as refused_since
        from ${from} left join uploads on uploads.upload_id = ${lastOfProgram(sql.raw('catalogs.catalog_id'))}))`

/** The monitored catalogs of some rows. @param watches rows of the table */
export const watchStates = (watches: SQL, columns: SQL, now: number): SQL =>
  withSyncState({
    columns: sql`watches.workspace_id, watches.type${columns}`,
    from: sql`${watches} as watches
      left join catalogs on catalogs.workspace_id = watches.workspace_id and catalogs.type = watches.type`,
    now,
  })
