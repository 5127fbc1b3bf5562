import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { type ProgramColumns, programColumns } from '#worker/catalog/uploads/sql/program'
import { type CatalogColumns, columnOf } from '#worker/catalog/uploads/sql/rows'
import { int } from '#worker/storage/database'

/**
 * Whether programs keep a catalog up to date, as its watch says. The state is computed from times whenever it is
 * read, so that it is right even if nothing has run for a while. Only programs count: a correction in the console
 * must not hide a job that died.
 */

export const SYNC_STATES = ['unwatched', 'late', 'refused', 'on_time'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** Times are milliseconds since the epoch. */
export interface SyncRow extends ProgramColumns {
  type: RecordTypeName
  state: SyncState
  /** When the state began. This and the next are null for a catalog that is not watched. */
  since: number | null
  due_at: number | null
}

const AN_HOUR = sql.raw(String(3600 * 1000))

/** Condition on the outcome of an upload. */
const WRITTEN = sql.raw("('written', 'unchanged', 'approved')")

/** The first refusal after the last success, else the newest upload: a file may be approved after a later refusal. */
const refusedSince = sql`coalesce((select min(u.created_at) from uploads u
    where u.workspace_id = k.workspace_id and u.type = k.type and u.by_program = 1 and u.held_for is not 'dry_run'
      and u.outcome <> 'approved' and u.noted_at > coalesce(k.last_success_at, 0)),
  ${columnOf(sql`k.last_upload`, 'created_at')})`

interface StateSource {
  /** Columns of the result, with `workspace_id` and `type` among them. */
  columns: SQL
  /** Tables and condition, with the watch as `w`. */
  from: SQL
  catalog: CatalogColumns
  /** Time against which catalogs are late. */
  now: number
}

/** Catalogs with their states: the rows of a `SyncRow`, with further columns. */
export const synced = ({ columns, from, catalog, now }: StateSource): SQL =>
  sql`select *, case state when 'late' then due_at when 'refused' then refused_since
      when 'on_time' then iif(told_state = 'on_time', told_since, coalesce(last_success_at, set_at)) end as since
    from (select *, case when every_hours is null then 'unwatched' when due_at < ${int(now)} then 'late'
        when ${columnOf(sql`last_upload`, 'outcome')} not in ${WRITTEN} then 'refused' else 'on_time' end as state
      from (select k.*, ${refusedSince} as refused_since,
          coalesce(last_success_at, set_at) + (every_hours + grace_hours) * ${AN_HOUR} as due_at
        from (select ${columns}, w.every_hours, w.grace_hours, w.set_at, w.told_state, w.told_since, w.told_upload_at,
            ${programColumns(catalog, now)}
          from ${from}) as k))`

/** The catalogs of some watches of a database. @param watches rows of the table, as `w` in `columns` */
export const watched = (watches: SQL, columns: SQL, now: number): SQL =>
  synced({
    columns: sql`w.workspace_id, w.type${columns}`,
    from: sql`${watches} as w left join catalogs c on c.workspace_id = w.workspace_id and c.type = w.type`,
    catalog: { workspaceId: sql`w.workspace_id`, type: sql`w.type`, catalogId: sql`c.catalog_id` },
    now,
  })
