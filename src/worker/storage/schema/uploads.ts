import { type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { checkFlag, checkOneOf } from '#worker/storage/schema/checks'

/** Uploads to catalogs, in the same database. Times are milliseconds since the epoch. */

export const OUTCOMES = [
  'written',
  'unchanged',
  'invalid',
  'shrink_guard',
  'emptied_guard',
  'stale',
  'quota',
  'failed',
  'not_sent',
  'held',
  'approved',
  'discarded',
  'expired',
] as const

export type UploadOutcome = (typeof OUTCOMES)[number]

const MODES = ['upsert', 'reconcile', 'restore'] as const
const FORMATS = ['csv', 'json', 'restore', 'added_name'] as const

/** Condition on a row of `uploads`: records were sent. @param table alias with a dot, or empty */
export const isUpload = (table = ''): SQL =>
  sql.raw(`${table}format is not 'restore' and ${table}format is not 'added_name'`)

export const HELD_FOR = ['dry_run', 'shrink_guard', 'emptied_guard'] as const

export type HeldFor = (typeof HELD_FOR)[number]

/**
 * Uploads and restores: one row for each write, each rejected upload and each pending upload (its bytes are in R2). The
 * transaction of a write inserts its row first and completes it last. The primary key stops a repeated transaction.
 */
export const uploads = sqliteTable(
  'uploads',
  {
    /** For a write, its `batch_id`. */
    uploadId: text('upload_id').primaryKey(),
    catalogId: integer('catalog_id').notNull(),
    /** Creation time of the row. Always later than earlier rows of the catalog, whatever the clocks say. */
    receivedAt: integer('received_at').notNull(),
    /** Time of the request by its machine's clock. */
    createdAt: integer('created_at').notNull(),
    /** Client id or user. */
    createdBy: text('created_by').notNull(),
    byProgram: integer('by_program').$type<0 | 1>().notNull(),
    requestId: text('request_id').notNull(),
    mode: text('mode').$type<(typeof MODES)[number]>().notNull(),
    /** Null if the body could not be read. */
    format: text('format').$type<(typeof FORMATS)[number]>(),
    fileName: text('file_name'),
    /** Size of the unpacked file; null if the body could not be read. Counts toward the quota while pending. */
    sizeBytes: integer('size_bytes'),
    /** `held` while pending. After its lifetime, an upload counts as expired, even before the scheduled run. */
    outcome: text('outcome').$type<UploadOutcome>().notNull(),
    /** Null for an upload written immediately or with invalid records: its counts show it. */
    message: text('message'),
    errorCount: integer('error_count').notNull().default(0),
    /** JSON list of the most frequent errors, without values. */
    errors: text('errors').notNull().default('[]'),
    /** Revision of the catalog after the write, or when the upload was rejected. */
    revision: integer('revision').notNull(),
    /** Number of repetitions of the same rejection, and the time of the last. */
    repeated: integer('repeated').notNull().default(0),
    lastAt: integer('last_at'),
    /** SHA-256 of the request, for a pending upload and for a write with a key. */
    requestDigest: text('request_digest'),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of a large written file, and of everything else that decides its effect. */
    fileDigest: text('file_digest'),
    /** Why the upload is pending. This and the next six are null unless it is or was pending. */
    heldFor: text('held_for').$type<HeldFor>(),
    heldUntil: integer('held_until'),
    /** Time since when it is pending for this reason, comparable to `received_at`: it may be sent again later. */
    heldSince: integer('held_since'),
    /** JSON of the parameters for the write. */
    parameters: text('parameters'),
    contentType: text('content_type'),
    /** SHA-256 of the bytes, for backups and restores. */
    sha256: text('sha256'),
    /** Client ID or user who approved it, and the identity of the approving request. */
    approvedBy: text('approved_by'),
    approvalId: text('approval_id'),
    /**
     * The rest is null unless it was written. Time of the write and of the record states that it made. Unique within
     * the catalog.
     */
    writtenAt: integer('written_at'),
    warnings: integer('warnings'),
    /** JSON list of the warnings about the request; null if they are too long. */
    warningList: text('warning_list'),
    revisionBefore: integer('revision_before'),
    activeBefore: integer('active_before'),
    activeAfter: integer('active_after'),
    restoredRevision: integer('restored_revision'),
    /** `next_number` of the catalog before the write: the numbers of inserted records start there. */
    firstNumber: integer('first_number'),
    /** The counts of docs/contract.md#write-counts. */
    total: integer('total'),
    inserted: integer('inserted'),
    updated: integer('updated'),
    unchanged: integer('unchanged'),
    reactivated: integer('reactivated'),
    deactivated: integer('deactivated'),
    /** Cleared fields, from `emptiedCounts`. */
    emptied: text('emptied'),
    /** Bytes that the write added to its catalog; negative if records became smaller. */
    grownBytes: integer('grown_bytes'),
    /** Bytes of the versions that it ended, as `versionBytes` counts them. */
    endedBytes: integer('ended_bytes'),
  },
  (table) => [
    checkFlag('uploads', 'by_program'),
    checkOneOf('uploads', 'mode', MODES),
    checkOneOf('uploads', 'format', FORMATS),
    checkOneOf('uploads', 'outcome', OUTCOMES),
    checkOneOf('uploads', 'held_for', HELD_FOR),
    // Columns that are set together.
    check('uploads_held', sql.raw('(held_for is null) = (held_until is null)')),
    check('uploads_approved', sql.raw('(approved_by is null) = (approval_id is null)')),
    check('uploads_written', sql.raw("(written_at is not null) = (outcome in ('written', 'unchanged', 'approved'))")),
    // The list of uploads.
    index('uploads_received').on(table.catalogId, table.receivedAt, table.format, table.outcome),
    // The lists of writes and of batches, and lookups of the write that made a change.
    index('uploads_written').on(table.catalogId, table.writtenAt, table.format).where(sql`written_at is not null`),
    // Lookups of the write that made a revision.
    index('uploads_revision').on(table.catalogId, table.revision).where(sql`revision > revision_before`),
    // Only one of two requests with the same key can write.
    uniqueIndex('uploads_key').on(table.catalogId, table.idempotencyKey).where(sql`idempotency_key is not null`),
    // Uploads by integrations, except previews: for the status of a catalog.
    index('uploads_programs')
      .on(table.catalogId, table.receivedAt)
      .where(sql`by_program = 1 and ${isUpload()} and (held_for is not 'dry_run' or written_at is not null)`),
    index('uploads_refused').on(table.catalogId, table.receivedAt).where(sql`written_at is null`),
    index('uploads_held').on(table.catalogId, table.receivedAt).where(sql`outcome = 'held'`),
  ],
)

export type UploadRow = InferSelectModel<typeof uploads, { dbColumnNames: true }>
