import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Catalog } from '#catalog/catalog'
import type { BatchRow } from '#catalog/history/batches'
import type { catalogStatus } from '#catalog/history/schemas'
import { returnedWrite } from '#catalog/history/writes'
import { RECORD_TYPES, type RecordTypeName } from '#records/record-type'
import { type Database, firstOf } from '#storage/database'
import { NO_EPOCH } from '#storage/schema/catalogs'
import { TOLD_COUNTS } from '#storage/told-counts'
import { type SyncRow, synced } from '#sync/states'
import { returnedSync } from '#sync/sync'

type Status = z.output<typeof catalogStatus>

/**
 * A row of `catalogs` with its last write and its watch. What comes from `catalogs` is null if the catalog was never
 * written; the columns of the write are null when there is none.
 */
interface StatusRow extends SyncRow, Omit<BatchRow, 'batch_id' | 'revision'> {
  revision: number | null
  epoch: string | null
  search_enabled: number | null
  active_records: number | null
  total_records: number | null
  changed_at: number | null
  history_from: number | null
  batch_id: string | null
  write_revision: number
}

const returnedStatus = (workspaceId: string, row: StatusRow): Status => ({
  type: row.type,
  revision: row.revision ?? 0,
  epoch: row.epoch ?? NO_EPOCH,
  active_records: row.active_records ?? 0,
  total_records: row.total_records ?? 0,
  updated_at: row.changed_at ? new Date(row.changed_at).toISOString() : null,
  search_enabled: row.search_enabled === 1,
  oldest_restorable_revision: row.history_from ?? 0,
  last_write:
    row.batch_id === null
      ? null
      : returnedWrite(
          { workspaceId, type: row.type },
          { ...row, batch_id: row.batch_id, revision: row.write_revision },
        ),
  sync: returnedSync(row),
})

const STATUS_COLUMNS = sql`c.revision, c.epoch, c.search_enabled, c.active_records, c.total_records, c.changed_at, c.history_from,
  b.revision as write_revision, b.batch_id, b.format, b.mode, b.file_name, b.size_bytes, b.created_by, b.created_at,
  b.warnings, b.total, b.inserted, b.unchanged, b.reactivated, ${TOLD_COUNTS}, b.active_before, b.active_after,
  b.restored_revision`

/** One row for each type, in the order of the types. */
const statusRows = (
  db: Database,
  workspaceId: string,
  types: readonly RecordTypeName[],
  now: Date,
): Promise<StatusRow[]> =>
  db.all(
    sql<StatusRow>`${synced({
      columns: sql`${workspaceId} as workspace_id, t.value as type, t.key as place, ${STATUS_COLUMNS}`,
      from: sql`json_each(${JSON.stringify(types)}) as t
        left join catalogs c on c.workspace_id = ${workspaceId} and c.type = t.value
        left join batches b on b.rowid = (select rowid from batches
          where catalog_id = c.catalog_id order by revision desc, written_at desc, rowid desc limit 1)
        left join watches w on w.workspace_id = ${workspaceId} and w.type = t.value`,
      catalog: { workspaceId: sql`${workspaceId}`, type: sql`t.value`, catalogId: sql`c.catalog_id` },
      now: now.getTime(),
    })} order by place`,
  )

/** In the order of the types. */
export async function readStatuses(db: Database, workspaceId: string, now: Date): Promise<Status[]> {
  const rows = await statusRows(db, workspaceId, RECORD_TYPES, now)
  return rows.map((row) => returnedStatus(workspaceId, row))
}

export async function readStatus({ db, scope }: Catalog, now: Date): Promise<Status> {
  return returnedStatus(
    scope.workspaceId,
    firstOf(await statusRows(db, scope.workspaceId, [scope.type], now)),
  )
}
