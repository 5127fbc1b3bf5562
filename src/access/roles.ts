import type { Scope } from './caller'

/** What a member of a workspace may be (decisions, section 13). */
export const ROLES = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

const VIEWER_SCOPES = ['catalog:read', 'search'] as const satisfies readonly Scope[]
const EDITOR_SCOPES = [
  ...VIEWER_SCOPES,
  'catalog:write',
  'documents',
  'registration',
] as const satisfies readonly Scope[]

/** What each role permits; each has everything of the one before it. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER_SCOPES,
  editor: EDITOR_SCOPES,
  admin: [...EDITOR_SCOPES, 'workspace:admin'],
}
