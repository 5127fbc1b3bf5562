import { ApiError } from '#shared/errors/errors'
import { randomId } from '#worker/crypto/random'
import type { Env } from '#worker/env'
import { type Database, firstOf } from '#worker/storage/database'
import { asPage, isoTime, oldestFirst, type Page, type PageRequest } from '#worker/storage/paged'
import { workspaces } from '#worker/storage/schema/control'
import { fewestWorkspacesAmong, openDatabases, requireBound } from './databases'
import type { NewWorkspace, Workspace } from './schemas'

const WORKSPACE_COLUMNS = {
  workspace_id: workspaces.workspaceId,
  name: workspaces.name,
  database: workspaces.databaseBinding,
  created_at: isoTime(workspaces.createdAt),
}

/** With a new id if none is given. @throws ApiError 409 when the id is taken */
export async function createWorkspace(
  env: Env,
  control: Database,
  input: NewWorkspace,
  now: Date,
): Promise<Workspace> {
  const { database } = input
  if (database !== undefined) requireBound(env, database)
  const workspace = {
    workspaceId: input.workspace_id ?? randomId('ws_'),
    name: input.name,
    databaseBinding: database ?? fewestWorkspacesAmong(openDatabases(env)),
    createdAt: now.getTime(),
  }
  // If the answer to the first attempt was lost, the second one finds the id taken: the answer is 409 although the
  // workspace was created.
  const [created] = await control.retrying(() =>
    control.orm
      .insert(workspaces)
      .values(workspace)
      .onConflictDoNothing({ target: workspaces.workspaceId })
      .returning(WORKSPACE_COLUMNS),
  )
  if (!created) {
    throw new ApiError('conflict', `The workspace id ${workspace.workspaceId} is taken. Choose another one.`)
  }
  return created
}

export async function listWorkspaces(database: Database, page: PageRequest): Promise<Page<Workspace>> {
  const statements = oldestFirst(database, workspaces, WORKSPACE_COLUMNS, undefined, page)
  const [rows, counted] = await database.orm.batch(statements)
  return asPage(rows, firstOf(counted).total, page)
}
