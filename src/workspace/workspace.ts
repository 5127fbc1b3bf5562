import { eq } from 'drizzle-orm'
import { ApiError } from '#errors'
import type { Database } from '#storage/database'
import { workspaces } from '#storage/schema'

export const noSuchWorkspace = (): ApiError => new ApiError('not_found', 'There is no such workspace.')

/** Finds a workspace; for use in a batch. */
export const workspaceQuery = ({ orm }: Database, workspaceId: string) =>
  orm
    .select({ workspaceId: workspaces.workspaceId })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, workspaceId))
