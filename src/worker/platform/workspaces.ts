import { eq, sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { DEFAULT_QUOTA } from '#shared/limits'
import { keysOf } from '#shared/text/keys-of'
import { historyBytes } from '#worker/catalog/write/sql/history-size'
import { countedBytes } from '#worker/catalog/write/sql/stops'
import { randomId } from '#worker/crypto/random'
import type { Env } from '#worker/env'
import { catalogDatabase, type Database, int } from '#worker/storage/database'
import { isoTime, type PageRequest, readPage } from '#worker/storage/list-page'
import type { Meter } from '#worker/storage/meter'
import { workspaces } from '#worker/storage/schema/control'
import { workspaceQuotas } from '#worker/storage/schema/workspace'
import { fewestWorkspacesAmong, openDatabases, requireBound } from './databases'
import type { NewQuota, NewWorkspace, Quota } from './schemas'

const WORKSPACE_COLUMNS = {
  workspace_id: workspaces.workspaceId,
  name: workspaces.name,
  database: workspaces.databaseBinding,
  created_at: isoTime(workspaces.createdAt),
}

const LISTED_COLUMNS = {
  ...WORKSPACE_COLUMNS,
  state: workspaces.state,
  reason: workspaces.stateReason,
  erased_at: isoTime(workspaces.erasedAt),
}

const idTaken = (workspaceId: string): ApiError =>
  new ApiError('conflict', `The workspace ID ${workspaceId} is taken. Choose another one.`)

/** Creates a workspace, with a new ID if none is given. @throws ApiError 409 if the ID is taken */
export async function createWorkspace(env: Env, control: Database, meter: Meter, input: NewWorkspace, now: Date) {
  if (input.database !== undefined) requireBound(env, input.database)
  const workspaceId = input.workspace_id ?? randomId('ws_')
  const { database, isTaken } = await control.one(
    sql<{ database: string; isTaken: 0 | 1 }>`select
      ${input.database ?? fewestWorkspacesAmong(openDatabases(env))} as database,
      exists (select 1 from ${workspaces} where ${eq(workspaces.workspaceId, workspaceId)}) as isTaken`,
  )
  if (isTaken === 1) throw idTaken(workspaceId)
  // First, so that every workspace has its quotas. A row without a workspace is harmless.
  const quotas = catalogDatabase(env, database, meter)
  await quotas.retry(() => quotas.orm.insert(workspaceQuotas).values({ workspaceId }).onConflictDoNothing())
  const creationId = randomId('')
  const workspace = { workspaceId, name: input.name, databaseBinding: database, createdAt: now.getTime(), creationId }
  // If the response to the first attempt was lost, the second attempt finds the first one's row, and no other.
  const [row] = await control.retry(() =>
    control.orm
      .insert(workspaces)
      .values(workspace)
      .onConflictDoUpdate({
        target: workspaces.workspaceId,
        set: { creationId },
        setWhere: eq(workspaces.creationId, creationId),
      })
      .returning(WORKSPACE_COLUMNS),
  )
  if (!row) throw idTaken(workspaceId)
  return row
}

export const listWorkspaces = (database: Database, page: PageRequest) =>
  readPage(database, workspaces, LISTED_COLUMNS, undefined, page)

export const readQuota = (database: Database, workspaceId: string): Promise<Quota> =>
  database.one(
    sql<Quota>`select usage.*, ${sql.raw(QUOTA_NAMES.map((name) => `workspace_quotas.${name}`).join(', '))},
        documents_used, document_bytes_used,
        (select count(*) from registrations where workspace_id = ${workspaceId}) as registrations_used
      from (select coalesce(sum(total_records), 0) as records_used, ${countedBytes(workspaceId)} as bytes_used,
          ${historyBytes} as history_bytes_used
        from catalogs where workspace_id = ${workspaceId}) as usage
      cross join workspace_quotas where workspace_quotas.workspace_id = ${workspaceId}`,
  )

/** These are also the column names. */
const QUOTA_NAMES = keysOf(DEFAULT_QUOTA)

/** Sets the given quotas. Null restores the default. A quota below the current usage only stops further growth. */
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
