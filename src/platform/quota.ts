import { eq, sql } from 'drizzle-orm'
import { historyBytes } from '#catalog/sql/history-bytes'
import { DEFAULT_QUOTA } from '#limits'
import { RECORD_TYPES } from '#records/record-type'
import { retrying } from '#storage/d1'
import { type Database, int } from '#storage/database'
import { workspaces } from '#storage/schema/control'
import { noSuchWorkspace } from '#workspace/workspace'
import type { NewQuota, Quota } from './schemas'

/** @throws ApiError 404 when there is no such workspace */
export async function databaseBindingOf({ orm }: Database, workspaceId: string): Promise<string> {
  const [row] = await orm
    .select({ binding: workspaces.databaseBinding })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, workspaceId))
  if (row === undefined) throw noSuchWorkspace()
  return row.binding
}

/** The quota of a workspace, for all of its catalogs together, and how much of it is used. */
export async function readQuota(database: Database, workspaceId: string): Promise<Quota> {
  const [row] = await database.all<Quota>(
    sql`select coalesce(max(quota_records), ${int(DEFAULT_QUOTA.records)}) as records,
        coalesce(max(quota_bytes), ${int(DEFAULT_QUOTA.bytes)}) as bytes,
        coalesce(sum(total_records), 0) as records_used, coalesce(sum(stored_bytes), 0) as bytes_used,
        ${historyBytes} as history_bytes_used
      from catalogs where workspace_id = ${workspaceId}`,
  )
  return row!
}

/**
 * Sets the given quotas; null restores the default. A quota below what is stored only stops further growth. It is
 * stored in each catalog of the workspace, so that a trigger can read it in the transaction of a write.
 */
export async function setQuota(database: Database, workspaceId: string, quota: NewQuota): Promise<Quota> {
  const assignments = [
    ...(quota.records === undefined
      ? []
      : [sql`quota_records = ${int(quota.records ?? DEFAULT_QUOTA.records)}`]),
    ...(quota.bytes === undefined ? [] : [sql`quota_bytes = ${int(quota.bytes ?? DEFAULT_QUOTA.bytes)}`]),
  ]
  if (assignments.length > 0) {
    await retrying(() =>
      database.batch([
        ...RECORD_TYPES.map(
          (type) =>
            sql`insert into catalogs (workspace_id, type) values (${workspaceId}, ${type}) on conflict do nothing`,
        ),
        sql`update catalogs set ${sql.join(assignments, sql`, `)} where workspace_id = ${workspaceId}`,
      ]),
    )
  }
  return readQuota(database, workspaceId)
}
