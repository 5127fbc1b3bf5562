import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  CLIENT_SCOPES,
  type ClientScope,
  ROLES,
  type Role,
  type SETTABLE_STATES,
  WORKSPACE_STATES,
  type WorkspaceState,
} from '#shared/access/caller'
import { checkOneOf } from '#worker/storage/schema/checks'

/** The tables of the control database, which is bound as `DB`. Times are milliseconds since the epoch. */

/** One organization, such as a hospital. All its data refer to it. */
export const workspaces = sqliteTable(
  'workspaces',
  {
    workspaceId: text('workspace_id').primaryKey(),
    /** Empty once the workspace is erased. */
    name: text('name').notNull(),
    /** The D1 binding of the database with the workspace's catalogs; see `database.ts`. */
    databaseBinding: text('database_binding').notNull().default('DB'),
    createdAt: integer('created_at').notNull(),
    /** Random, from the request that created the row: a repeated statement recognizes its own row by it. */
    creationId: text('creation_id'),
    state: text('state').$type<WorkspaceState>().notNull().default('active'),
    stateReason: text('state_reason'),
    /** Time when the state was last set, a move started, or the database changed. An erasure does not change it. */
    stateChangedAt: integer('state_changed_at').notNull().default(0),
    erasedAt: integer('erased_at'),
    /** Time of the last check that an erased workspace has no remaining data. */
    erasureCheckedAt: integer('erasure_checked_at'),
    /** Null unless the workspace is being moved: the next binding, the running command, and the later state. */
    moveTarget: text('move_target'),
    moveId: text('move_id'),
    stateAfterMove: text('state_after_move').$type<(typeof SETTABLE_STATES)[number]>(),
    /** The binding of the database that still has the copy from before the last move, and the time of the move. */
    oldDatabase: text('old_database'),
    movedAt: integer('moved_at'),
    /** JSON list of the last minute's webhook tests. Not in `webhooks`, whose rows can be deleted. */
    webhookTests: text('webhook_tests').notNull().default('[]'),
  },
  (table) => [
    // The list of the operator.
    index('workspaces_created').on(table.createdAt),
    checkOneOf('workspaces', 'state', WORKSPACE_STATES),
  ],
)

const workspaceId = () =>
  text('workspace_id')
    .notNull()
    .references(() => workspaces.workspaceId)

/** Clients, which get access tokens with their secret. Their API keys decide for which workspaces. */
export const clients = sqliteTable(
  'clients',
  {
    clientId: text('client_id').primaryKey(),
    name: text('name').notNull(),
    /** SHA-256 of the secret, hexadecimal. The secret itself has 256 random bits, so that no salt is needed. */
    secretHash: text('secret_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** Workspace of the admin who created the client; null for the operator. Deleted with its last API key row. */
    workspaceId: text('workspace_id').references(() => workspaces.workspaceId),
  },
  (table) => [
    index('clients_workspace').on(table.workspaceId),
    // The list of the operator.
    index('clients_created').on(table.createdAt),
  ],
)

/** When and by whom a key was created and revoked, and when it was last used. */
const keyUseColumns = () => ({
  createdAt: integer('created_at').notNull(),
  revokedAt: integer('revoked_at'),
  /** `operator` or the admin; null for keys older than this column. */
  createdBy: text('created_by'),
  /** Start of the hour of the last use; see `auth/last-use.ts`. */
  lastUsedAt: integer('last_used_at'),
})

/** API keys: what a client may do in a workspace. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    apiKeyId: text('api_key_id').primaryKey(),
    workspaceId: workspaceId(),
    clientId: text('client_id')
      .notNull()
      .references(() => clients.clientId),
    keyHash: text('key_hash').notNull(),
    /** JSON list of the key's scopes. */
    scopes: text('scopes', { mode: 'json' })
      .$type<ClientScope[]>()
      .notNull()
      .default([...CLIENT_SCOPES]),
    name: text('name'),
    ...keyUseColumns(),
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.keyHash),
    index('api_keys_workspace').on(table.workspaceId, table.createdAt),
    index('api_keys_client').on(table.clientId),
  ],
)

/** Credentials that decrypt partner tokens (`x-auth-token`). */
export const partnerCredentials = sqliteTable(
  'partner_credentials',
  {
    kid: text('kid').primaryKey(),
    workspaceId: workspaceId(),
    /** Exact `iss` of the partner's tokens. */
    issuer: text('issuer').notNull(),
    /** Base64url of the 32-byte key, encrypted (see `crypto/seal.ts`); empty once revoked. */
    sealedSecret: text('sealed_secret').notNull(),
    /** JSON list of web origins whose pages may use it. */
    allowedOrigins: text('allowed_origins', { mode: 'json' }).$type<string[]>().notNull(),
    ...keyUseColumns(),
  },
  (table) => [index('partner_credentials_workspace').on(table.workspaceId, table.createdAt)],
)

/** Origins of active partner credentials, for lookups by origin: a preflight names no credential. */
export const partnerOrigins = sqliteTable(
  'partner_origins',
  { origin: text('origin').notNull(), kid: text('kid').notNull() },
  (table) => [primaryKey({ columns: [table.origin, table.kid] })],
)

/** Shared keys of encrypted bodies. */
export const encryptionKeys = sqliteTable(
  'encryption_keys',
  {
    kid: text('kid').primaryKey(),
    workspaceId: workspaceId(),
    /** The shared key string of 16 characters, encrypted (see `crypto/seal.ts`); empty once revoked. */
    sealedKey: text('sealed_key').notNull(),
    ...keyUseColumns(),
  },
  (table) => [index('encryption_keys_workspace').on(table.workspaceId, table.createdAt)],
)

/** Data of the whole deployment. One row, created when first needed. */
export const deployment = sqliteTable('deployment', {
  number: integer('number').primaryKey(),
  /** Marks its bucket; see `storage/bucket.ts`. Not in backups: a restored service is a different deployment. */
  deploymentId: text('deployment_id').notNull().default(sql`(lower(hex(randomblob(16))))`),
  /**
   * Base64url of the 32-byte key of keyed hashes, such as `documents.user_hash`, encrypted (see `crypto/seal.ts`). The
   * key never changes, so that stored hashes outlive a master key. Null until first needed.
   */
  sealedLookupKey: text('sealed_lookup_key'),
})

/** The scheduled run's state, as JSON; see `storage/scheduled-runs.ts`. */
export const scheduledState = sqliteTable('scheduled_state', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

/** Who may log in to a workspace with a browser. */
export const members = sqliteTable(
  'members',
  {
    /** ID of this membership. A user who joins again after a removal gets a new one. */
    memberId: text('member_id').primaryKey(),
    workspaceId: workspaceId(),
    /** As `normalisedEmail` returns it. */
    email: text('email').notNull(),
    role: text('role').$type<Role>().notNull(),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  (table) => [
    uniqueIndex('members_workspace_email').on(table.workspaceId, table.email),
    index('members_email').on(table.email),
    checkOneOf('members', 'role', ROLES),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the cookie, hexadecimal. The cookie has 256 random bits, so that no salt is needed. */
    sessionHash: text('session_hash').primaryKey(),
    userId: text('user_id').notNull(),
    email: text('email').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('sessions_expiry').on(table.expiresAt),
    // Finds the oldest sessions of a user, which end if there are too many.
    index('sessions_user').on(table.userId, table.createdAt),
  ],
)

/** One-time codes of command-line logins. They live for minutes, so their purge needs no index. */
export const loginCodes = sqliteTable('login_codes', {
  codeHash: text('code_hash').primaryKey(),
  /** Base64url of the SHA-256 of the client's verifier (RFC 7636). */
  codeChallenge: text('code_challenge').notNull(),
  userId: text('user_id').notNull(),
  email: text('email').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

/** Finished logins, so that none is finished twice. Kept for minutes, until their transaction expires. */
export const finishedLogins = sqliteTable('finished_logins', {
  stateHash: text('state_hash').primaryKey(),
  expiresAt: integer('expires_at').notNull(),
})
