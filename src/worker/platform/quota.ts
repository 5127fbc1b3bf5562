import { eq, sql } from 'drizzle-orm'
import { DEFAULT_QUOTA } from '#shared/limits'
import { keysOf } from '#shared/text/keys-of'
import { historyBytes } from '#worker/catalog/history/purge'
import { heldBytes } from '#worker/catalog/write/sql/transaction'
import { type Database, int } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'
import { noSuchWorkspace } from '#worker/workspace/authority'
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
export const readQuota = (database: Database, workspaceId: string): Promise<Quota> =>
  database.one(
    sql<Quota>`select usage.*, ${sql.raw(QUOTA_NAMES.map((name) => `workspace_quotas.${name}`).join(', '))},
        documents_used, document_bytes_used, registrations_used
      from (select coalesce(sum(total_records), 0) as records_used,
          coalesce(sum(stored_bytes), 0) + ${heldBytes(sql`${workspaceId}`)} as bytes_used,
          ${historyBytes} as history_bytes_used
        from catalogs where workspace_id = ${workspaceId}) as usage
      cross join workspace_quotas where workspace_quotas.workspace_id = ${workspaceId}`,
  )

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
    await database.retry(() =>
      database.all(sql`update workspace_quotas set ${sql.join(settings, sql`, `)} where workspace_id = ${workspaceId}`),
    )
  }
  return readQuota(database, workspaceId)
}
