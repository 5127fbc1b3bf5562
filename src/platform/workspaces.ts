import { sql } from 'drizzle-orm'
import { randomId } from '#crypto/random'
import type { Env } from '#env'
import { ApiError, invalidField } from '#errors'
import { boundDatabases } from '#storage/bound-databases'
import { retrying } from '#storage/d1'
import { controlDatabase, type Database } from '#storage/database'
import type { Meter } from '#storage/meter'
import { workspaces } from '#storage/schema'
import { emptiestOf, openDatabases } from './databases'
import type { NewWorkspace, Workspace } from './schemas'

const asWorkspace = (row: typeof workspaces.$inferSelect): Workspace => ({
  workspace_id: row.workspaceId,
  name: row.name,
  database: row.databaseBinding,
  created_at: new Date(row.createdAt).toISOString(),
})

/**
 * Creates a workspace, under an id of its own where none is given, in the database that is named or else in the one with
 * the fewest workspaces among those that take new ones.
 *
 * @throws ApiError 409 when the id is taken; 400 for a database that is not bound
 */
export async function createWorkspace(
  env: Env,
  input: NewWorkspace,
  now: Date,
  meter: Meter,
): Promise<Workspace> {
  const { database } = input
  if (database !== undefined && !boundDatabases(env).includes(database)) {
    throw invalidField(
      'database',
      'not_allowed',
      `must be one of ${boundDatabases(env).join(', ')}`,
      database,
    )
  }
  const workspace = {
    workspaceId: input.workspace_id ?? randomId('ws_'),
    name: input.name,
    databaseBinding: database ?? emptiestOf(openDatabases(env)),
    createdAt: now.getTime(),
  }
  // If the answer to the first attempt was lost, the second finds the id taken: 409, and the workspace
  // exists.
  const [created] = await retrying(() =>
    controlDatabase(env, meter)
      .orm.insert(workspaces)
      .values(workspace)
      .onConflictDoNothing({ target: workspaces.workspaceId })
      .returning(),
  )
  if (!created) {
    throw new ApiError('conflict', `There already is a workspace ${workspace.workspaceId}.`)
  }
  return asWorkspace(created)
}

/** All workspaces, oldest first. */
export async function listWorkspaces(database: Database): Promise<Workspace[]> {
  const rows = await database.orm.select().from(workspaces).orderBy(workspaces.createdAt, sql`rowid`)
  return rows.map(asWorkspace)
}
