import { type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { checkFlag, checkOneOf } from '#worker/storage/schema/checks'

/** What was sent to catalogs, in the same database. Times are milliseconds since the epoch. */

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
 * Uploads and restores: one row for each write, each refusal and each file that waits (its bytes are in R2). The
 * transaction of a write opens its row first and closes it last; the primary key stops a repeated one.
 */
export const uploads = sqliteTable(
  'uploads',
  {
    /** Of a write, its `batch_id`. */
    uploadId: text('upload_id').primaryKey(),
    catalogId: integer('catalog_id').notNull(),
    /** When the row was made. Later than every earlier row of the catalog, whatever the clocks say. */
    receivedAt: integer('received_at').notNull(),
    /** Of the request, in milliseconds of its machine. */
    createdAt: integer('created_at').notNull(),
    /** Client id or user. */
    createdBy: text('created_by').notNull(),
    byProgram: integer('by_program').$type<0 | 1>().notNull(),
    requestId: text('request_id').notNull(),
    mode: text('mode').$type<(typeof MODES)[number]>().notNull(),
    /** Null if the body could not be read. */
    format: text('format').$type<(typeof FORMATS)[number]>(),
    fileName: text('file_name'),
    /** Of the file, unpacked; null if the body could not be read. Counts for the quota as long as the file waits. */
    sizeBytes: integer('size_bytes'),
    /** `held` as long as the file waits. A file whose time is over counts as expired before the scheduled run. */
    outcome: text('outcome').$type<UploadOutcome>().notNull(),
    /** Null for one that was written at once, or whose records are not valid: its figures say it. */
    message: text('message'),
    errorCount: integer('error_count').notNull().default(0),
    /** JSON list of the most frequent errors, without values. */
    errors: text('errors').notNull().default('[]'),
    /** Of the catalog after the write, or when the upload was refused. */
    revision: integer('revision').notNull(),
    /** How often the same refusal came again, and when last. */
    repeated: integer('repeated').notNull().default(0),
    lastAt: integer('last_at'),
    /** SHA-256 of what was sent: of a held file, and of a write with a key. */
    requestDigest: text('request_digest'),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of a large file that was written, with all that decides what becomes of it. */
    fileDigest: text('file_digest'),
    /** Why the file waits. This and the next six are null unless it waits or has waited. */
    heldFor: text('held_for').$type<HeldFor>(),
    heldUntil: integer('held_until'),
    /** When it began to wait for this reason, in the time of `received_at`: the same file may come again later. */
    heldSince: integer('held_since'),
    /** JSON: the parameters with which it is written. */
    parameters: text('parameters'),
    contentType: text('content_type'),
    /** Of the bytes: backups and restores compare them. */
    sha256: text('sha256'),
    /** Client id or user, for a file that waited, and what tells the request from others that approve it. */
    approvedBy: text('approved_by'),
    approvalId: text('approval_id'),
    /**
     * The rest is null unless it was written. The time of the write and its states, which no other of the catalog has.
     */
    writtenAt: integer('written_at'),
    warnings: integer('warnings'),
    /** The warnings about what was sent, as a JSON list; null if they are too long. */
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
    /** What it has emptied, as `emptiedCounts` gives it. */
    emptied: text('emptied'),
    /** Bytes that the write added to its catalog; negative when records became smaller. */
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
    // What is set together.
    check('uploads_held', sql.raw('(held_for is null) = (held_until is null)')),
    check('uploads_approved', sql.raw('(approved_by is null) = (approval_id is null)')),
    check('uploads_written', sql.raw("(written_at is not null) = (outcome in ('written', 'unchanged', 'approved'))")),
    // The list of uploads.
    index('uploads_received').on(table.catalogId, table.receivedAt, table.format, table.outcome),
    // The lists of writes and of batches, and from the time of a change to the write that made it.
    index('uploads_written').on(table.catalogId, table.writtenAt, table.format).where(sql`written_at is not null`),
    // From a revision to the write that made it.
    index('uploads_revision').on(table.catalogId, table.revision).where(sql`revision > revision_before`),
    // Of two requests with one key, one writes.
    uniqueIndex('uploads_key').on(table.catalogId, table.idempotencyKey).where(sql`idempotency_key is not null`),
    // What programs sent, apart from previews: the status of a catalog.
    index('uploads_programs')
      .on(table.catalogId, table.receivedAt)
      .where(sql`by_program = 1 and ${isUpload()} and (held_for is not 'dry_run' or written_at is not null)`),
    index('uploads_refused').on(table.catalogId, table.receivedAt).where(sql`written_at is null`),
    index('uploads_held').on(table.catalogId, table.receivedAt).where(sql`outcome = 'held'`),
  ],
)

export type UploadRow = InferSelectModel<typeof uploads, { dbColumnNames: true }>
