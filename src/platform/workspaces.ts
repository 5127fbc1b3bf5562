import { count, sql } from 'drizzle-orm'
import { randomId } from '#crypto/random'
import type { Env } from '#env'
import { ApiError, invalidField } from '#errors'
import { asPage, type Page, type PageRequest } from '#http/page'
import { boundDatabases } from '#storage/bound-databases'
import { retrying } from '#storage/d1'
import { controlDatabase, type Database } from '#storage/database'
import type { Meter } from '#storage/meter'
import { workspaces } from '#storage/schema/control'
import { fewestWorkspacesAmong, openDatabases } from './databases'
import type { NewWorkspace, Workspace } from './schemas'

const asWorkspace = (row: typeof workspaces.$inferSelect): Workspace => ({
  workspace_id: row.workspaceId,
  name: row.name,
  database: row.databaseBinding,
  created_at: new Date(row.createdAt).toISOString(),
})

/** With a new id if none is given. @throws ApiError 409 when the id is taken */
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
    databaseBinding: database ?? fewestWorkspacesAmong(openDatabases(env)),
    createdAt: now.getTime(),
  }
  // If the answer to the first attempt was lost, the second one finds the id taken: the answer is 409 although the
  // workspace was created.
  const [created] = await retrying(() =>
    controlDatabase(env, meter)
      .orm.insert(workspaces)
      .values(workspace)
      .onConflictDoNothing({ target: workspaces.workspaceId })
      .returning(),
  )
  if (!created) {
    throw new ApiError('conflict', `The workspace id ${workspace.workspaceId} is taken. Choose another one.`)
  }
  return asWorkspace(created)
}

export async function listWorkspaces({ orm }: Database, page: PageRequest): Promise<Page<Workspace>> {
  const [rows, [counted]] = await orm.batch([
    orm
      .select()
      .from(workspaces)
      .orderBy(workspaces.createdAt, sql`rowid`)
      .limit(page.limit)
      .offset(page.offset),
    orm.select({ total: count() }).from(workspaces),
  ])
  return asPage(rows.map(asWorkspace), counted!.total, page)
}
