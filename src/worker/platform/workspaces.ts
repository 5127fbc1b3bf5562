import { eq, sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { randomId } from '#worker/crypto/random'
import type { Env } from '#worker/env'
import { catalogDatabase, type Database, firstOf } from '#worker/storage/database'
import type { Meter } from '#worker/storage/meter'
import { asPage, isoTime, oldestFirst, type Page, type PageRequest } from '#worker/storage/paged'
import { workspaces } from '#worker/storage/schema/control'
import { workspaceQuotas } from '#worker/storage/schema/workspace'
import { fewestWorkspacesAmong, openDatabases, requireBound } from './databases'
import type { NewWorkspace, Workspace } from './schemas'

const WORKSPACE_COLUMNS = {
  workspace_id: workspaces.workspaceId,
  name: workspaces.name,
  database: workspaces.databaseBinding,
  created_at: isoTime(workspaces.createdAt),
}

const idTaken = (workspaceId: string): ApiError =>
  new ApiError('conflict', `The workspace id ${workspaceId} is taken. Choose another one.`)

/** With a new id if none is given. @throws ApiError 409 when the id is taken */
export async function createWorkspace(
  env: Env,
  control: Database,
  meter: Meter,
  input: NewWorkspace,
  now: Date,
): Promise<Workspace> {
  if (input.database !== undefined) requireBound(env, input.database)
  const workspaceId = input.workspace_id ?? randomId('ws_')
  const { database, isTaken } = await control.one(
    sql<{ database: string; isTaken: 0 | 1 }>`select
      ${input.database ?? fewestWorkspacesAmong(openDatabases(env))} as database,
      exists (select 1 from ${workspaces} where ${eq(workspaces.workspaceId, workspaceId)}) as isTaken`,
  )
  if (isTaken === 1) throw idTaken(workspaceId)
  // First, so that every workspace has its quotas. Without the workspace, the row does no harm.
  const quotas = catalogDatabase(env, database, meter)
  await quotas.retry(() => quotas.orm.insert(workspaceQuotas).values({ workspaceId }).onConflictDoNothing())
  const workspace = { workspaceId, name: input.name, databaseBinding: database, createdAt: now.getTime() }
  // If the answer to the first attempt was lost, the second one finds the id taken: the answer is 409 although the
  // workspace was created.
  const [row] = await control.retry(() =>
    control.orm
      .insert(workspaces)
      .values(workspace)
      .onConflictDoNothing({ target: workspaces.workspaceId })
      .returning(WORKSPACE_COLUMNS),
  )
  if (!row) throw idTaken(workspaceId)
  return row
}

export async function listWorkspaces(database: Database, page: PageRequest): Promise<Page<Workspace>> {
  const statements = oldestFirst(database, workspaces, WORKSPACE_COLUMNS, undefined, page)
  const [rows, counts] = await database.orm.batch(statements)
  return asPage(rows, firstOf(counts).total, page)
}
