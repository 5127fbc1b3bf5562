import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { RecordTypeName } from '#shared/records/record-type'
import { returnedUpload } from '#worker/catalog/uploads/list'
import { isHeld, type ListedRow, lastOfProgram, listedColumns } from '#worker/catalog/uploads/sql/uploads'
import { returnedWrite, type WriteRow, writeColumns } from '#worker/catalog/write/result'
import type { Database } from '#worker/storage/database'
import { timeOf } from '#worker/storage/list-page'
import { NO_EPOCH } from '#worker/storage/schema/catalogs'
import type { catalogStatusSchema } from './schemas'
import { type SyncRow, withSyncState } from './sync-state'

type Status = z.output<typeof catalogStatusSchema>

/** A row of `catalogs` with its monitoring. Columns of `catalogs` are null if the catalog was never written. */
interface StatusRow extends SyncRow {
  revision: number | null
  epoch: string | null
  search_enabled: number | null
  active_records: number | null
  total_records: number | null
  written_at: number | null
  history_from: number | null
}

type OfCatalog = { type: RecordTypeName }

/** The status of catalogs, in one round trip. @param include `held`: with pending uploads */
export async function readStatuses(
  db: Database,
  workspaceId: string,
  types: readonly RecordTypeName[],
  { include, now }: { include?: 'held' | undefined; now: Date },
): Promise<Status[]> {
  const time = now.getTime()
  const typeRows = sql`json_each(${JSON.stringify(types)}) as type_row`
  const joinCatalogs = sql`join catalogs on catalogs.workspace_id = ${workspaceId} and catalogs.type = type_row.value`
  const uploads = (where: SQL) =>
    sql<
      ListedRow & OfCatalog
    >`select type_row.value as type, ${listedColumns(time)} from ${typeRows} cross ${joinCatalogs}
      cross join uploads on uploads.catalog_id = catalogs.catalog_id and ${where} order by uploads.received_at desc`
  const [rows, writes, programs, held] = await db.batch([
    sql<StatusRow>`${withSyncState({
      columns: sql`${workspaceId} as workspace_id, type_row.value as type, type_row.key as n,
        catalogs.revision, catalogs.epoch, catalogs.search_enabled,
        catalogs.active_records, catalogs.total_records, catalogs.written_at, catalogs.history_from`,
      from: sql`${typeRows} left ${joinCatalogs}
        left join watches on watches.workspace_id = ${workspaceId} and watches.type = type_row.value`,
      now: time,
    })} order by n`,
    sql<
      WriteRow & OfCatalog
    >`select type_row.value as type, ${writeColumns('uploads')} from ${typeRows} cross ${joinCatalogs}
      cross join uploads on uploads.upload_id = (select upload_id from uploads
        where catalog_id = catalogs.catalog_id and written_at is not null order by written_at desc limit 1)`,
    uploads(sql`uploads.upload_id = ${lastOfProgram(sql.raw('catalogs.catalog_id'))}`),
    uploads(include === 'held' ? sql`uploads.by_program = 1 and ${isHeld(time)}` : sql`false`),
  ])
  const ofType = <Row extends OfCatalog>(list: readonly Row[], type: RecordTypeName) =>
    list.filter((row) => row.type === type)
  return rows.map((row) => {
    const [lastWrite] = ofType(writes, row.type)
    const [lastUpload] = ofType(programs, row.type)
    return {
      type: row.type,
      revision: row.revision ?? 0,
      epoch: row.epoch ?? NO_EPOCH,
      active_records: row.active_records ?? 0,
      total_records: row.total_records ?? 0,
      updated_at: row.written_at ? timeOf(row.written_at) : null,
      search_enabled: row.search_enabled === 1,
      oldest_restorable_revision: row.history_from ?? 0,
      last_write: lastWrite === undefined ? null : returnedWrite(row.type, lastWrite),
      sync: {
        state: row.state,
        since: timeOf(row.since),
        due_at: timeOf(row.due_at),
        last_success_at: timeOf(row.last_success_at),
        last_upload: lastUpload === undefined ? null : returnedUpload(row.type, lastUpload),
      },
      ...(include === 'held' && { held: ofType(held, row.type).map((upload) => returnedUpload(row.type, upload)) }),
    }
  })
}
