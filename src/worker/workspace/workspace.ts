import { eq } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import type { Database } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'

export const noSuchWorkspace = (): ApiError => new ApiError('not_found', 'There is no workspace with this id.')

export const workspaceQuery = ({ orm }: Database, workspaceId: string) =>
  orm.select({ workspaceId: workspaces.workspaceId }).from(workspaces).where(eq(workspaces.workspaceId, workspaceId))
