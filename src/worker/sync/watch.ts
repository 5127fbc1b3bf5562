import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { type Database, firstOf } from '#worker/storage/database'
import { isoTime } from '#worker/storage/list-page'
import { watches } from '#worker/storage/schema/sync'
import type { NewWatch, Watch } from './schemas'

const RETURNED = {
  every_hours: watches.everyHours,
  grace_hours: watches.graceHours,
  set_at: isoTime(watches.setAt),
  set_by: watches.setBy,
}

const watchOf = ({ workspaceId, type }: CatalogKey): SQL | undefined =>
  and(eq(watches.workspaceId, workspaceId), eq(watches.type, type))

/** Null if the catalog is not monitored. */
export async function readWatch({ orm }: Database, catalogKey: CatalogKey): Promise<Watch | null> {
  const [row = null] = await orm.select(RETURNED).from(watches).where(watchOf(catalogKey))
  return row
}

const HAS_SAME_HOURS = sql`${watches.everyHours} = excluded.every_hours
  and ${watches.graceHours} = excluded.grace_hours`

const unlessSameHours = (column: SQLiteColumn): SQL =>
  sql`iif(${HAS_SAME_HOURS}, ${column}, excluded.${sql.identifier(column.name)})`

/** Turns monitoring on. Repeating it with the same hours has no effect. Uploads already pending are not reported. */
export async function setWatch(
  { orm, retry }: Database,
  catalogKey: CatalogKey,
  { every_hours: everyHours, grace_hours: graceHours }: NewWatch,
  setBy: string,
  now: Date,
): Promise<Watch> {
  const setAt = now.getTime()
  const row = {
    ...catalogKey,
    ...{ everyHours, graceHours, setBy, setAt },
    ...{ notifiedState: 'on_time', notifiedSince: setAt },
    notifiedUploadAt: sql`coalesce((select max(received_at) from uploads
      where catalog_id = ${catalogIdOf(catalogKey)}), 0)`,
  }
  const set = { everyHours, graceHours, setBy: unlessSameHours(watches.setBy), setAt: unlessSameHours(watches.setAt) }
  const target = [watches.workspaceId, watches.type]
  return firstOf(
    await retry(() => orm.insert(watches).values(row).onConflictDoUpdate({ target, set }).returning(RETURNED)),
  )
}

export async function deleteWatch({ orm, retry }: Database, catalogKey: CatalogKey): Promise<{ deleted: true }> {
  await retry(() => orm.delete(watches).where(watchOf(catalogKey)))
  return { deleted: true }
}
