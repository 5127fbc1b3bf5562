import type { OpenState, WorkspaceState } from '#shared/access/caller'
import { suspended } from '#worker/storage/placement/workspace-database'

export const OPEN_STATES: OpenState[] = ['active', 'read_only']

export const isOpen = (state: WorkspaceState): state is OpenState => OPEN_STATES.some((open) => open === state)

/**
 * The only check of a workspace's state. For a partner token, the response is that of any other invalid token.
 *
 * @throws ApiError 403 for a workspace that is suspended or erased
 */
export function requireOpen(state: WorkspaceState): OpenState {
  if (isOpen(state)) return state
  throw suspended()
}
