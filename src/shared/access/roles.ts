import type { Scope } from './caller'

/** Roles of the members of a workspace (docs/contract.md#roles). */
export const ROLES = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

const VIEWER_SCOPES = ['catalog:read', 'search'] as const satisfies readonly Scope[]
const EDITOR_SCOPES = [
  ...VIEWER_SCOPES,
  'catalog:write',
  'documents',
  'registration',
] as const satisfies readonly Scope[]

/** Scopes of each role. Each role has the scopes of the one before it. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER_SCOPES,
  editor: EDITOR_SCOPES,
  admin: [...EDITOR_SCOPES, 'workspace:admin'],
}
