import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DEFAULT_QUOTA } from '#shared/limits'

/** Documents, registrations and quotas, in the workspace's own database. Times are milliseconds since the epoch. */

/** The metadata of documents. Their bytes are in R2. */
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
    /** Client ID, partner or user. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Keyed hash of the partner's user who uploaded it (`lookupHash`); null for other uploads. */
    userHash: text('user_hash'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.documentId] }),
    // Finds documents to delete by age.
    index('documents_age').on(table.createdAt),
  ],
)

/** The `Idempotency-Key`s of document uploads. A row stays after its document is deleted. */
export const documentKeys = sqliteTable(
  'document_keys',
  {
    workspaceId: text('workspace_id').notNull(),
    /** Client ID, partner or user. */
    createdBy: text('created_by').notNull(),
    /** As in `documents`, but empty for uploads without a partner's user. */
    userHash: text('user_hash').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    documentId: text('document_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.createdBy, table.userHash, table.idempotencyKey] }),
    // Finds keys to delete by age.
    index('document_keys_age').on(table.createdAt),
  ],
)

/**
 * Documents whose bytes may be in the bucket without a row: deleted ones, and uploads with an unknown outcome. These
 * rows do not move with a workspace, because all databases share the bucket.
 */
export const documentRemovals = sqliteTable(
  'document_removals',
  {
    workspaceId: text('workspace_id').notNull(),
    documentId: text('document_id').notNull(),
    /** Time when to delete the bytes, unless the document has a row by then. */
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
    /** The number and the name are encrypted, because they are personal data. */
    sealedNumber: text('sealed_number').notNull(),
    sealedName: text('sealed_name'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    // One registration per number, even for simultaneous requests.
    uniqueIndex('registrations_number').on(table.workspaceId, table.numberHash),
    index('registrations_expiry').on(table.expiresAt),
  ],
)

/**
 * The quotas of a workspace, created with it. Documents are counted here, records in `catalogs`. Each write requires
 * the row, and an erasure deletes it first; see `workspaceDatabase`.
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
