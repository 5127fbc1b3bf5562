import { eq, sql } from 'drizzle-orm'
import { DEFAULT_QUOTA } from '#shared/limits'
import { RECORD_TYPES } from '#shared/records/record-type'
import { keysOf } from '#shared/text/keys-of'
import { historyBytes } from '#worker/catalog/history/sql/history-bytes'
import { heldBytes } from '#worker/catalog/write/sql/commit'
import { type Database, int } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'
import { noSuchWorkspace } from '#worker/workspace/workspace'
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
  const limit = (name: keyof typeof DEFAULT_QUOTA) =>
    sql`coalesce(q.${sql.raw(name)}, ${int(DEFAULT_QUOTA[name])}) as ${sql.raw(name)}`
  const counted = (what: string, table: string) =>
    sql`(select ${sql.raw(what)} from ${sql.raw(table)} where workspace_id = ${workspaceId})`
  return database.one(
    sql<Quota>`select c.*, ${sql.join(QUOTA_NAMES.map(limit), sql`, `)},
        coalesce(q.documents_used, ${counted('count(*)', 'documents')}) as documents_used,
        coalesce(q.document_bytes_used, ${counted('sum(size_bytes)', 'documents')}, 0) as document_bytes_used,
        coalesce(q.registrations_used, ${counted('count(*)', 'registrations')}) as registrations_used
      from (select coalesce(sum(total_records), 0) as records_used,
          coalesce(sum(stored_bytes), 0) + ${heldBytes(sql`${workspaceId}`)} as bytes_used,
          ${historyBytes} as history_bytes_used
        from catalogs where workspace_id = ${workspaceId}) as c
      left join workspace_quotas as q on q.workspace_id = ${workspaceId}`,
  )
}

/** Also the names of their columns. */
const QUOTA_NAMES = keysOf(DEFAULT_QUOTA)

/**
 * Sets the given quotas; null restores the default. A quota below what is stored only stops further growth. They are
 * stored beside what they limit, so that a trigger can read them in the transaction of a write.
 */
export async function setQuota(database: Database, workspaceId: string, quota: NewQuota): Promise<Quota> {
  const settings = QUOTA_NAMES.flatMap((name) => {
    const value = quota[name]
    return value === undefined ? [] : [sql`${sql.raw(name)} = ${int(value ?? DEFAULT_QUOTA[name])}`]
  })
  if (settings.length > 0) {
    await database.retrying(() =>
      database.batch([
        // The release before reads the quotas of these rows. A trigger sets them.
        ...RECORD_TYPES.map(
          (type) =>
            sql`insert into catalogs (workspace_id, type) values (${workspaceId}, ${type}) on conflict do nothing`,
        ),
        sql`insert into workspace_quotas (workspace_id) values (${workspaceId}) on conflict do nothing`,
        sql`update workspace_quotas set ${sql.join(settings, sql`, `)} where workspace_id = ${workspaceId}`,
      ]),
    )
  }
  return readQuota(database, workspaceId)
}
