/** See docs/contract.md#workspace-state. Nothing of an erased workspace is left but its row. */
export const WORKSPACE_STATES = ['active', 'read_only', 'suspended', 'erasing', 'erased'] as const
export type WorkspaceState = (typeof WORKSPACE_STATES)[number]

/** States that the operator can set. */
export const SETTABLE_STATES = ['active', 'read_only', 'suspended'] as const satisfies readonly WorkspaceState[]

/** A state in which a workspace answers its callers. */
export type OpenState = 'active' | 'read_only'
