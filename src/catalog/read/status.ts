import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Catalog } from '#catalog/catalog'
import type { BatchRow } from '#catalog/history/batches'
import type { catalogStatus } from '#catalog/history/schemas'
import { returnedWrite } from '#catalog/history/writes'
import { RECORD_TYPES, type RecordTypeName } from '#records/record-type'
import type { Database } from '#storage/database'
import { NO_EPOCH } from '#storage/schema/catalogs'

type Status = z.output<typeof catalogStatus>

/** A row of `catalogs` with its last write. The columns of the write are null when there is none. */
interface StatusRow extends Omit<BatchRow, 'batch_id' | 'revision'> {
  type: RecordTypeName
  revision: number
  epoch: string
  search_enabled: number
  active_records: number
  total_records: number
  changed_at: number
  history_from: number
  batch_id: string | null
  write_revision: number
}

function returnedStatus(workspaceId: string, type: RecordTypeName, row: StatusRow | undefined): Status {
  return {
    type,
    revision: row?.revision ?? 0,
    epoch: row?.epoch ?? NO_EPOCH,
    active_records: row?.active_records ?? 0,
    total_records: row?.total_records ?? 0,
    updated_at: row && row.changed_at > 0 ? new Date(row.changed_at).toISOString() : null,
    search_enabled: row?.search_enabled === 1,
    oldest_restorable_revision: row?.history_from ?? 0,
    last_write:
      row && row.batch_id !== null
        ? returnedWrite(
            { workspaceId, type },
            { ...row, batch_id: row.batch_id, revision: row.write_revision },
          )
        : null,
  }
}

const statusRows = (
  db: Database,
  workspaceId: string,
  types: readonly RecordTypeName[],
): Promise<StatusRow[]> =>
  db.all(
    sql`select c.type, c.revision, c.epoch, c.search_enabled, c.active_records, c.total_records, c.changed_at, c.history_from,
        b.revision as write_revision, b.batch_id, b.format, b.mode, b.file_name, b.size_bytes, b.created_by, b.created_at,
        b.warnings, b.total, b.inserted, b.updated, b.unchanged, b.reactivated, b.deactivated, b.active_before,
        b.active_after, b.restored_revision
      from catalogs c left join batches b on b.rowid = (select rowid from batches
        where catalog_id = c.catalog_id order by revision desc, written_at desc, rowid desc limit 1)
      where c.workspace_id = ${workspaceId} and c.type in (${sql.join(
        types.map((type) => sql`${type}`),
        sql`, `,
      )})`,
  )

/** In the order of the types. */
export async function readStatuses(db: Database, workspaceId: string): Promise<Status[]> {
  const rows = await statusRows(db, workspaceId, RECORD_TYPES)
  const rowOf = (type: RecordTypeName) => rows.find((row) => row.type === type)
  return RECORD_TYPES.map((type) => returnedStatus(workspaceId, type, rowOf(type)))
}

export async function readStatus({ db, scope }: Catalog): Promise<Status> {
  const [row] = await statusRows(db, scope.workspaceId, [scope.type])
  return returnedStatus(scope.workspaceId, scope.type, row)
}
