/** The scopes of client credentials: everything except managing keys and members, which only users may do. */
export const CLIENT_SCOPES = ['catalog:read', 'catalog:write', 'search', 'documents', 'registration'] as const
export type ClientScope = (typeof CLIENT_SCOPES)[number]

/** Permissions of an access token (docs/contract.md#scopes). */
export const SCOPES = [...CLIENT_SCOPES, 'workspace:admin'] as const
export type Scope = (typeof SCOPES)[number]

/** The prefix of a user's name as an actor (see `Caller`). No client ID and no partner has it. */
export const PERSON_PREFIX = 'user:'

/** Who sent the request: taken from a verified credential, never from anything else in the request. */
export interface Caller {
  workspaceId: string
  /** Name of the D1 binding that holds the workspace's catalogs. */
  databaseBinding: string
  /** State of the workspace. In other states, requests are rejected. */
  state: OpenState
  /** Client ID, `partner:` and a key ID, or `user:` and an email address: personal data, stored but never logged. */
  actor: string
  scopes: ReadonlySet<Scope>
  /** ID of the membership. Set only after a browser login. */
  memberId?: string
  /** Set only for a partner token or an access token that was exchanged for one. */
  partner?: PartnerIdentity
}

interface PartnerIdentity {
  kid: string
  /** The partner's user, as named in the token. Personal data: never logged. */
  subject: string
  /** Web origins whose pages may read the response. */
  allowedOrigins: readonly string[]
}

/** Roles of the members of a workspace (docs/contract.md#roles). */
export const ROLES = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

const VIEWER_SCOPES: readonly Scope[] = ['catalog:read', 'search']
const EDITOR_SCOPES: readonly Scope[] = [...VIEWER_SCOPES, 'catalog:write', 'documents', 'registration']

/** Scopes of each role. Each role has the scopes of the one before it. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER_SCOPES,
  editor: EDITOR_SCOPES,
  admin: [...EDITOR_SCOPES, 'workspace:admin'],
}

/** See docs/contract.md#workspace-state. Of an erased workspace, only its row is left. */
export const WORKSPACE_STATES = ['active', 'read_only', 'suspended', 'erasing', 'erased'] as const
export type WorkspaceState = (typeof WORKSPACE_STATES)[number]

export const SETTABLE_STATES = ['active', 'read_only', 'suspended'] as const satisfies readonly WorkspaceState[]

/** A state in which a workspace accepts requests. */
export type OpenState = 'active' | 'read_only'
