import { and, eq, inArray, sql } from 'drizzle-orm'
import { SETTABLE_STATES } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import { PROVIDER_WORKSPACE } from '#worker/search/query/statement'
import type { Database } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'
import { noSuchWorkspace } from '#worker/workspace/admin-context'
import type { NewState } from './schemas'

/** Changes the state of a workspace (docs/contract.md#workspace-state). */

const ofWorkspace = (workspaceId: string) => eq(workspaces.workspaceId, workspaceId)

export async function findWorkspace({ orm }: Pick<Database, 'orm'>, workspaceId: string) {
  const [row] = await orm.select().from(workspaces).where(ofWorkspace(workspaceId))
  if (row === undefined) throw noSuchWorkspace()
  return row
}

/**
 * Sets the state of a workspace. During a move, it stays read-only or becomes suspended, and gets the state at the end.
 *
 * @throws ApiError 404; 409 if it is being erased, and for a suspension of the provider
 */
export async function setState({ orm, retry }: Database, workspaceId: string, { state, reason }: NewState, now: Date) {
  if (workspaceId === PROVIDER_WORKSPACE && state === 'suspended') {
    throw new ApiError('conflict', 'Every workspace may search the provider: it can be read-only, not suspended.')
  }
  const [row] = await retry(() =>
    orm
      .update(workspaces)
      .set({
        state: sql`iif(${workspaces.moveTarget} is null or ${state} = 'suspended', ${state}, 'read_only')`,
        stateAfterMove: sql`iif(${workspaces.moveTarget} is null, null, ${state})`,
        stateReason: reason ?? null,
        stateChangedAt: now.getTime(),
      })
      .where(and(ofWorkspace(workspaceId), inArray(workspaces.state, SETTABLE_STATES)))
      .returning({ workspace_id: workspaces.workspaceId, state: workspaces.state, reason: workspaces.stateReason }),
  )
  forgetCached(workspaceId)
  if (row) return row
  const { state: present } = await findWorkspace({ orm }, workspaceId)
  throw new ApiError('conflict', `The workspace is ${present}. Its state can no longer be changed.`)
}

/** Starts the erasure of a workspace. @throws ApiError 404; 409 if it is not suspended or is being moved */
export async function beginErasure(control: Database, workspaceId: string) {
  const { orm, retry } = control
  const mayBegin = and(
    ofWorkspace(workspaceId),
    eq(workspaces.state, 'suspended'),
    sql`${workspaces.moveTarget} is null`,
  )
  await retry(() => orm.update(workspaces).set({ state: 'erasing' }).where(mayBegin))
  forgetCached(workspaceId)
  const workspace = await findWorkspace(control, workspaceId)
  if (workspace.state === 'erasing' || workspace.state === 'erased') return workspace
  throw new ApiError(
    'conflict',
    workspace.state === 'suspended'
      ? 'The workspace is being moved. Nothing was changed. Wait until `npm run move` finishes, then try again.'
      : `The workspace is ${workspace.state}. Only a suspended workspace can be erased.`,
  )
}
