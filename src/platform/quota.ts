import { eq, sql } from 'drizzle-orm'
import { historyBytes } from '#catalog/history/sql/history-bytes'
import { heldBytes } from '#catalog/uploads/sql/held'
import { DEFAULT_QUOTA } from '#limits'
import { RECORD_TYPES } from '#records/record-type'
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

/** The quota of a workspace, and how much of it is used. */
export function readQuota(database: Database, workspaceId: string): Promise<Quota> {
  // Without a row of its own, the workspace has the defaults and nothing was counted yet.
  const counted = (what: string, table: string) =>
    sql`(select ${sql.raw(what)} from ${sql.raw(table)} where workspace_id = ${workspaceId})`
  return database.one(
    sql<Quota>`select c.*,
        coalesce(q.documents, ${int(DEFAULT_QUOTA.documents)}) as documents,
        coalesce(q.document_bytes, ${int(DEFAULT_QUOTA.document_bytes)}) as document_bytes,
        coalesce(q.registrations, ${int(DEFAULT_QUOTA.registrations)}) as registrations,
        coalesce(q.documents_used, ${counted('count(*)', 'documents')}) as documents_used,
        coalesce(q.document_bytes_used, ${counted('sum(size_bytes)', 'documents')}, 0) as document_bytes_used,
        coalesce(q.registrations_used, ${counted('count(*)', 'registrations')}) as registrations_used
      from (select coalesce(max(quota_records), ${int(DEFAULT_QUOTA.records)}) as records,
          coalesce(max(quota_bytes), ${int(DEFAULT_QUOTA.bytes)}) as bytes,
          coalesce(sum(total_records), 0) as records_used,
          coalesce(sum(stored_bytes), 0) + ${heldBytes(sql`${workspaceId}`)} as bytes_used,
          ${historyBytes} as history_bytes_used
        from catalogs where workspace_id = ${workspaceId}) as c
      left join workspace_quotas as q on q.workspace_id = ${workspaceId}`,
  )
}

type QuotaName = keyof typeof DEFAULT_QUOTA

/** Where each quota is stored. Those of the catalogs are the same in each catalog of the workspace. */
const STORED_IN: readonly (readonly [name: QuotaName, table: string, column: string])[] = [
  ['records', 'catalogs', 'quota_records'],
  ['bytes', 'catalogs', 'quota_bytes'],
  ['documents', 'workspace_quotas', 'documents'],
  ['document_bytes', 'workspace_quotas', 'document_bytes'],
  ['registrations', 'workspace_quotas', 'registrations'],
]

/**
 * Sets the given quotas; null restores the default. A quota below what is stored only stops further growth. They are
 * stored beside what they limit, so that a trigger can read them in the transaction of a write.
 */
export async function setQuota(database: Database, workspaceId: string, quota: NewQuota): Promise<Quota> {
  const settings = STORED_IN.flatMap(([name, table, column]) => {
    const value = quota[name]
    if (value === undefined) return []
    const assignment = sql`${sql.raw(column)} = ${int(value ?? DEFAULT_QUOTA[name])}`
    return [sql`update ${sql.raw(table)} set ${assignment} where workspace_id = ${workspaceId}`]
  })
  if (settings.length > 0) {
    await database.retrying(() =>
      database.batch([
        // These come first, because their fence refuses a workspace that is elsewhere.
        ...RECORD_TYPES.map(
          (type) =>
            sql`insert into catalogs (workspace_id, type) values (${workspaceId}, ${type}) on conflict do nothing`,
        ),
        sql`insert into workspace_quotas (workspace_id) values (${workspaceId}) on conflict do nothing`,
        ...settings,
      ]),
    )
  }
  return readQuota(database, workspaceId)
}
