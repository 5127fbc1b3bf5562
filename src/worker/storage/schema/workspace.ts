import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DEFAULT_QUOTA } from '#shared/limits'

/** Documents, registrations and quotas, in the workspace's own database. Times are milliseconds since the epoch. */

/** The metadata of a document; its bytes are in R2. In the workspace's own database, like its registrations. */
export const documents = sqliteTable(
  'documents',
  {
    workspaceId: text('workspace_id').notNull(),
    documentId: text('document_id').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    contentType: text('content_type').notNull(),
    sha256: text('sha256').notNull(),
    /** JSON list of tasks, as the caller named them, in lower case. */
    tasks: text('tasks', { mode: 'json' }).$type<string[]>().notNull(),
    documentType: text('document_type'),
    /** As the uploader sent it, without invisible characters. */
    fileName: text('file_name'),
    /** Client id, partner or user. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Keyed hash of the partner's user who uploaded it (`lookupHash`); null for other uploads. */
    userHash: text('user_hash'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.documentId] }),
    // For documents that are deleted because of their age.
    index('documents_age').on(table.createdAt),
  ],
)

/** The documents that the `Idempotency-Key`s of uploads name. A row stays when its document is deleted. */
export const documentKeys = sqliteTable(
  'document_keys',
  {
    workspaceId: text('workspace_id').notNull(),
    /** Client id, partner or user. */
    createdBy: text('created_by').notNull(),
    /** Of the partner's user, as in `documents`; empty for other uploads. */
    userHash: text('user_hash').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    documentId: text('document_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.createdBy, table.userHash, table.idempotencyKey] }),
    // For keys that are deleted because of their age.
    index('document_keys_age').on(table.createdAt),
  ],
)

/**
 * Documents whose bytes may be in the bucket without a row: deleted ones, and uploads whose outcome is not known. They
 * do not move, because all databases share the bucket.
 */
export const documentRemovals = sqliteTable(
  'document_removals',
  {
    workspaceId: text('workspace_id').notNull(),
    documentId: text('document_id').notNull(),
    /** When the bytes may be deleted if there is no row then. */
    dueAt: integer('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.documentId] })],
)

/** Pending registrations. Deleted soon after they expire. */
export const registrations = sqliteTable(
  'registrations',
  {
    registrationId: text('registration_id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    /** Keyed hash of the mobile number, to find it again (`lookupHash`). */
    numberHash: text('number_hash').notNull(),
    /** The number and the name are sealed, because they are personal data. */
    sealedNumber: text('sealed_number').notNull(),
    sealedName: text('sealed_name'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    // One registration per number, even for simultaneous calls.
    uniqueIndex('registrations_number').on(table.workspaceId, table.numberHash),
    index('registrations_expiry').on(table.expiresAt),
  ],
)

/**
 * The quotas of a workspace, made with it. Documents are counted here, records in `catalogs`. An erasure deletes the
 * row first, and each write requires it; see `workspaceDatabase`.
 */
export const workspaceQuotas = sqliteTable('workspace_quotas', {
  workspaceId: text('workspace_id').primaryKey(),
  records: integer('records').notNull().default(DEFAULT_QUOTA.records),
  bytes: integer('bytes').notNull().default(DEFAULT_QUOTA.bytes),
  documents: integer('documents').notNull().default(DEFAULT_QUOTA.documents),
  documentsUsed: integer('documents_used').notNull().default(0),
  documentBytes: integer('document_bytes').notNull().default(DEFAULT_QUOTA.document_bytes),
  documentBytesUsed: integer('document_bytes_used').notNull().default(0),
  registrations: integer('registrations').notNull().default(DEFAULT_QUOTA.registrations),
})
