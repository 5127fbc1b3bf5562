import { sql } from 'drizzle-orm'
import { randomId } from '#crypto/random'
import { ApiError } from '#errors'
import { retrying } from '#storage/d1'
import type { Database } from '#storage/database'
import { workspaces } from '#storage/schema'
import type { NewWorkspace, Workspace } from './schemas'

const asWorkspace = (row: { workspaceId: string; name: string; createdAt: number }): Workspace => ({
  workspace_id: row.workspaceId,
  name: row.name,
  created_at: new Date(row.createdAt).toISOString(),
})

/**
 * Creates a workspace, with a new id if none is given.
 *
 * @throws ApiError 409 when the id is taken
 */
export async function createWorkspace(
  database: Database,
  input: NewWorkspace,
  now: Date,
): Promise<Workspace> {
  const workspace = {
    workspaceId: input.workspace_id ?? randomId('ws_'),
    name: input.name,
    createdAt: now.getTime(),
  }
  // If the answer to the first attempt was lost, the second finds the id taken: 409, and the workspace
  // exists.
  const [created] = await retrying(() =>
    database.orm
      .insert(workspaces)
      .values(workspace)
      .onConflictDoNothing({ target: workspaces.workspaceId })
      .returning({ workspaceId: workspaces.workspaceId }),
  )
  if (!created) {
    throw new ApiError('conflict', `There already is a workspace ${workspace.workspaceId}.`)
  }
  return asWorkspace(workspace)
}

/** All workspaces, oldest first. */
export async function listWorkspaces(database: Database): Promise<Workspace[]> {
  const rows = await database.orm.select().from(workspaces).orderBy(workspaces.createdAt, sql`rowid`)
  return rows.map(asWorkspace)
}
