import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { type Database, int } from '#worker/storage/database'
import { timeOf } from '#worker/storage/list-page'
import type { NewWatch, Watch } from './schemas'

interface WatchRow {
  every_hours: number
  grace_hours: number
  set_at: number
  set_by: string
}

const returnedWatch = ({ every_hours, grace_hours, set_at, set_by }: WatchRow): Watch => ({
  every_hours,
  grace_hours,
  set_at: timeOf(set_at),
  set_by,
})

const watchOf = ({ workspaceId, type }: CatalogKey): SQL =>
  sql`watches where workspace_id = ${workspaceId} and type = ${type}`

/** Null when the catalog is not watched. */
export async function readWatch(db: Database, catalogKey: CatalogKey): Promise<Watch | null> {
  const [row] = await db.all(sql<WatchRow>`select * from ${watchOf(catalogKey)}`)
  return row === undefined ? null : returnedWatch(row)
}

/**
 * Sets how often programs should bring a catalog up to date. The same hours again change nothing. Files that wait
 * already are not told any more.
 */
export async function setWatch(
  db: Database,
  catalogKey: CatalogKey,
  { every_hours, grace_hours }: NewWatch,
  by: string,
  now: Date,
): Promise<Watch> {
  const { workspaceId, type } = catalogKey
  const time = int(now.getTime())
  const statement = sql<WatchRow>`insert into watches
      (workspace_id, type, every_hours, grace_hours, set_by, set_at, notified_state, notified_since, notified_upload_at)
    select ${workspaceId}, ${type}, ${int(every_hours)}, ${int(grace_hours)}, ${by}, ${time}, 'on_time', ${time},
      coalesce((select max(received_at) from uploads where catalog_id = ${catalogIdOf(catalogKey)}), 0)
    where true
    on conflict (workspace_id, type) do update set
      every_hours = excluded.every_hours, grace_hours = excluded.grace_hours,
      set_by = iif(${SAME_HOURS}, set_by, excluded.set_by), set_at = iif(${SAME_HOURS}, set_at, excluded.set_at)
    returning every_hours, grace_hours, set_at, set_by`
  return returnedWatch(await db.retry(() => db.one(statement)))
}

const SAME_HOURS = sql.raw('watches.every_hours = excluded.every_hours and watches.grace_hours = excluded.grace_hours')

export async function deleteWatch(db: Database, catalogKey: CatalogKey): Promise<{ deleted: true }> {
  const watch = await readWatch(db, catalogKey)
  if (watch !== null) await db.retry(() => db.all(sql`delete from ${watchOf(catalogKey)}`))
  return { deleted: true }
}
