/** What client credentials permit: everything except managing keys and members. Only a person may do that. */
export const CLIENT_SCOPES = ['catalog:read', 'catalog:write', 'search', 'documents', 'registration'] as const
export type ClientScope = (typeof CLIENT_SCOPES)[number]

/** Permissions of an access token (docs/contract.md#scopes). */
export const SCOPES = [...CLIENT_SCOPES, 'workspace:admin'] as const
export type Scope = (typeof SCOPES)[number]

/** What the name of a person begins with, as an actor; see `Caller`. No client id and no partner has it. */
export const PERSON_PREFIX = 'user:'

/** Who is calling: taken from a verified credential, never from anything else in the request. */
export interface Caller {
  workspaceId: string
  /** Name of the D1 binding that holds the workspace's catalogs. */
  databaseBinding: string
  /** Of the workspace. In other states there is no caller. */
  state: OpenState
  /** Client id, `partner:` and a key id, or `user:` and an email address: personal data, stored but never logged. */
  actor: string
  scopes: ReadonlySet<Scope>
  /** Id of the membership. Set only after a browser login. */
  memberId?: string
  /** Set only for a partner token, or for an access token that was issued in exchange for one. */
  partner?: PartnerIdentity
}

export interface PartnerIdentity {
  kid: string
  /** The partner's user, as named in the token. Personal data: never logged. */
  subject: string
  /** Web origins whose pages may read the answer. */
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

/** See docs/contract.md#workspace-state. Nothing of an erased workspace is left but its row. */
export const WORKSPACE_STATES = ['active', 'read_only', 'suspended', 'erasing', 'erased'] as const
export type WorkspaceState = (typeof WORKSPACE_STATES)[number]

export const SETTABLE_STATES = ['active', 'read_only', 'suspended'] as const satisfies readonly WorkspaceState[]

/** A state in which a workspace answers its callers. */
export type OpenState = 'active' | 'read_only'
