import type { OpenState, WorkspaceState } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import { forgetGrantsOf } from '#worker/auth/live-grants'
import { forgetCredentialsOf } from '#worker/auth/partner/credentials'

/** Whether a workspace answers its callers. */
export const isOpen = (state: WorkspaceState): state is OpenState => state === 'active' || state === 'read_only'

/**
 * The one check of the state of a workspace, where it is resolved from a valid credential. A partner token is refused
 * like any other bad one instead.
 *
 * @throws ApiError 403 for a workspace that is suspended or erased
 */
export function openState(state: WorkspaceState): OpenState {
  if (isOpen(state)) return state
  throw new ApiError('forbidden', 'The workspace is suspended. Ask the operator of the service.', {
    reason: 'workspace suspended',
  })
}

/** Makes this isolate see the state and the database of a workspace at once; the others see them within 60 seconds. */
export function forgetWorkspace(workspaceId: string): void {
  forgetGrantsOf(workspaceId)
  forgetCredentialsOf(workspaceId)
}
