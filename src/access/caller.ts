/** Permissions of an access token (decisions, section 8). */
export const SCOPES = [
  'catalog:read',
  'catalog:write',
  'search',
  'documents',
  'registration',
  'workspace:admin',
] as const
export type Scope = (typeof SCOPES)[number]

/** What client credentials permit: everything but to manage keys and members, which takes a person. */
export const CLIENT_SCOPES = [
  'catalog:read',
  'catalog:write',
  'search',
  'documents',
  'registration',
] as const satisfies readonly Scope[]

/** Who is calling: taken from a verified credential, never from anything else in the request. */
export interface Caller {
  workspaceId: string
  /** Name of the D1 binding that holds the workspace's catalogs. */
  databaseBinding: string
  /** Client id, `partner:` and a key id, or `user:` and an email address, which is not to be logged; recorded with what is written. */
  actor: string
  scopes: ReadonlySet<Scope>
  /** Names the membership; present where a browser login proves one. */
  memberId?: string
  /** Present where a partner token proves it, or an access token that one was exchanged for. */
  partner?: PartnerIdentity
}

export interface PartnerIdentity {
  /** Key id of the partner credential. */
  kid: string
  /** The partner's user, as the token names him; personal data, never to be logged. */
  subject: string
  /** Web origins whose pages may read the answer. */
  allowedOrigins: readonly string[]
}
