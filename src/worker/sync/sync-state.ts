import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { lastOfProgram, ofProgram, outcomeAt } from '#worker/catalog/uploads/sql/uploads'
import { int } from '#worker/storage/database'

/**
 * Whether programs keep a catalog up to date, computed from times whenever it is read. A correction in the console does
 * not count: it must not hide a job that died.
 */

export const SYNC_STATES = ['unwatched', 'late', 'refused', 'on_time'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** Times are milliseconds since the epoch. */
export interface SyncRow {
  type: RecordTypeName
  state: SyncState
  /** When the state began. This and the next are null for a catalog that is not watched. */
  since: number | null
  due_at: number | null
  /** When a program last wrote, or a file of a program was approved; null if never. */
  last_success_at: number | null
  /** The newest upload by a program. A dry run is none until it is written. */
  last_upload_id: string | null
}

const AN_HOUR = sql.raw(String(3600 * 1000))

/**
 * The first refusal after the last success, else the newest upload: a file may be approved after a later refusal. One
 * that waits since before the success, and came again after it, was refused when it came again.
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
 * @param columns with `workspace_id` and `type` among them
 * @param from with `watches` and `catalogs`, whose rows may be missing
 * @param now time against which they are late
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

/** The catalogs of some watches of a database. @param watches rows of the table */
export const watchStates = (watches: SQL, columns: SQL, now: number): SQL =>
  withSyncState({
    columns: sql`watches.workspace_id, watches.type${columns}`,
    from: sql`${watches} as watches
      left join catalogs on catalogs.workspace_id = watches.workspace_id and catalogs.type = watches.type`,
    now,
  })
