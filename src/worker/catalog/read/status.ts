import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import type { Catalog } from '#worker/catalog/catalog'
import type { BatchRow } from '#worker/catalog/history/batches'
import type { catalogStatus } from '#worker/catalog/history/schemas'
import { returnedWrite } from '#worker/catalog/history/writes'
import { returnedUpload } from '#worker/catalog/uploads/list'
import { heldOfPrograms } from '#worker/catalog/uploads/sql/program'
import { rowsOf } from '#worker/catalog/uploads/sql/rows'
import { type Database, firstOf } from '#worker/storage/database'
import { NO_EPOCH } from '#worker/storage/schema/catalogs'
import { TOLD_COUNTS } from '#worker/storage/told-counts'
import { type SyncRow, synced } from '#worker/sync/states'
import { returnedSync } from '#worker/sync/sync'

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
  /** JSON of the files of programs that wait; only if they are asked for. */
  held?: string
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
  ...(row.held !== undefined && {
    held: rowsOf(row.held).map((held) => returnedUpload(row.type, held)),
  }),
})

const STATUS_COLUMNS = sql`c.revision, c.epoch, c.search_enabled, c.active_records, c.total_records, c.changed_at, c.history_from,
  b.revision as write_revision, b.batch_id, b.format, b.mode, b.file_name, b.size_bytes, b.created_by, b.created_at,
  b.warnings, b.total, b.inserted, b.unchanged, b.reactivated, ${TOLD_COUNTS}, b.active_before, b.active_after,
  b.restored_revision`

/** What is asked of some catalogs. */
interface StatusRequest {
  /** Files of programs that wait, too. */
  include?: 'held' | undefined
  now: Date
}

/** One row for each type, in the order of the types. */
function statusRows(
  db: Database,
  workspaceId: string,
  types: readonly RecordTypeName[],
  { include, now }: StatusRequest,
): Promise<StatusRow[]> {
  const catalog = { workspaceId: sql`${workspaceId}`, type: sql`t.value`, catalogId: sql`c.catalog_id` }
  const held = include === 'held' ? sql`, ${heldOfPrograms(catalog, now.getTime())} as held` : sql.empty()
  return db.all(
    sql<StatusRow>`${synced({
      columns: sql`${workspaceId} as workspace_id, t.value as type, t.key as place, ${STATUS_COLUMNS}${held}`,
      from: sql`json_each(${JSON.stringify(types)}) as t
        left join catalogs c on c.workspace_id = ${workspaceId} and c.type = t.value
        left join batches b on b.rowid = (select rowid from batches
          where catalog_id = c.catalog_id order by revision desc, written_at desc, rowid desc limit 1)
        left join watches w on w.workspace_id = ${workspaceId} and w.type = t.value`,
      catalog,
      now: now.getTime(),
    })} order by place`,
  )
}

/** In the order of the types. */
export async function readStatuses(
  db: Database,
  workspaceId: string,
  request: StatusRequest,
): Promise<Status[]> {
  const rows = await statusRows(db, workspaceId, RECORD_TYPES, request)
  return rows.map((row) => returnedStatus(workspaceId, row))
}

export async function readStatus({ db, scope }: Catalog, request: StatusRequest): Promise<Status> {
  return returnedStatus(
    scope.workspaceId,
    firstOf(await statusRows(db, scope.workspaceId, [scope.type], request)),
  )
}
