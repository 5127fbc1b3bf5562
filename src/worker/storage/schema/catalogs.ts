import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * The tables of catalogs: their records, the words of these, earlier versions and writes. In every database that holds
 * workspaces. Times are milliseconds since the epoch.
 */

/** The epoch of a catalog that was never written. */
export const NO_EPOCH = '0'

/**
 * One catalog of one workspace. Lives in the workspace's own database and therefore has no foreign key to
 * `workspaces`. The counters are kept by every write, so that a page needs no count.
 */
export const catalogs = sqliteTable(
  'catalogs',
  {
    catalogId: integer('catalog_id').primaryKey({ autoIncrement: true }),
    workspaceId: text('workspace_id').notNull(),
    type: text('type').notNull(),
    /** Grows by one with every write that changes something. */
    revision: integer('revision').notNull().default(0),
    /**
     * Names the state of the catalog: the `batch_id` of the write that made its revision, `0` before the first one. The
     * revision alone does not, because a database that went back to an earlier state uses revisions again.
     */
    epoch: text('epoch').notNull().default(NO_EPOCH),
    activeRecords: integer('active_records').notNull().default(0),
    totalRecords: integer('total_records').notNull().default(0),
    /** Time of the last write that changed something. Always grows, even if a clock is set back. */
    changedAt: integer('changed_at').notNull().default(0),
    /** Number that the next new record takes within the catalog; see `records.row_id`. */
    nextNumber: integer('next_number').notNull().default(0),
    searchEnabled: integer('search_enabled', { mode: 'boolean' }).notNull().default(false),
    searchUpdatedAt: integer('search_updated_at'),
    /** Bytes of all records, as `recordBytes` counts them. */
    storedBytes: integer('stored_bytes').notNull().default(0),
    /** Bytes of all earlier versions, as `versionBytes` counts them. */
    versionBytes: integer('version_bytes').notNull().default(0),
    /** 1 when writes keep the versions that they end. Every write sets it from the configuration. */
    keepsVersions: integer('keeps_versions').notNull().default(1),
    /** The oldest revision that a restore can go back to: every version that ended after it is kept. */
    historyFrom: integer('history_from').notNull().default(0),
  },
  (table) => [uniqueIndex('catalogs_workspace_type').on(table.workspaceId, table.type)],
)

/** The present state of each record. Inactive records stay. */
export const records = sqliteTable(
  'records',
  {
    /**
     * `catalog_id * 2^36 + number`: the records of a catalog are stored side by side, and a range of row ids is a
     * tenant boundary in every index. It has room for 131,072 catalogs below 2^53, the largest number that exports
     * and JavaScript keep exactly.
     */
    rowId: integer('row_id').primaryKey(),
    catalogId: integer('catalog_id').notNull(),
    /** The caller's own id, exactly as sent. */
    recordId: text('record_id').notNull(),
    isActive: integer('is_active').notNull(),
    /** Time of the last write that changed the record: the `written_at` of its batch, which no other batch has. */
    updatedAt: integer('updated_at').notNull(),
    /** Place in the request of that write; -1 when a reconcile left the record out. */
    place: integer('place').notNull(),
    /** Before that change: 0 the record did not exist, 1 it was inactive, 2 active. */
    stateBefore: integer('state_before').notNull(),
    /** Bytes of the record before that change; 0 when it did not exist. */
    sizeBefore: integer('size_before').notNull().default(0),
    /** Slots of `data` that had a value before that change and none after; only if the write has the emptied guard. */
    emptied: integer('emptied').notNull().default(0),
    /** 1 when that change altered `search_text` or `codes`. */
    textChanged: integer('text_changed').notNull(),
    /** Characters of the folded name. */
    nameLength: integer('name_length').notNull(),
    /** Folded name, display name and aliases; see `search-text.ts`. */
    searchText: text('search_text').notNull(),
    /** Folded id and codes; see `codes.ts`. */
    codes: text('codes').notNull(),
    /** The values of the type's fields as a JSON list; see `storedForm`. */
    data: text('data').notNull(),
  },
  (table) => [
    uniqueIndex('records_id').on(table.catalogId, table.recordId),
    // The list in its order; slim, so that a deep offset costs little.
    index('records_list').on(table.catalogId, table.isActive, table.updatedAt, table.place),
    // The texts in the order of the length of the name. For words that the full-text index cannot find or finds too
    // often, and for partner search, which shows shorter names first.
    index('records_scan').on(table.catalogId, table.isActive, table.nameLength, table.searchText),
  ],
)

/**
 * A state of a record that a write has ended. The trigger `records_keep_version` adds it in the transaction of that
 * write, so that no code path can forget it. The present state of a record is in `records` only.
 *
 * Rows are stored in the order of time, catalog by catalog. A write appends rows, old rows are deleted from the
 * front, and the changes of one write are one range.
 */
export const recordVersions = sqliteTable(
  'record_versions',
  {
    catalogId: integer('catalog_id').notNull(),
    /** `written_at` of the write that ended this version. */
    endedAt: integer('ended_at').notNull(),
    rowId: integer('row_id').notNull(),
    /** The next four are those of `records` in this version. */
    writtenAt: integer('written_at').notNull(),
    isActive: integer('is_active').notNull(),
    stateBefore: integer('state_before').notNull(),
    data: text('data').notNull(),
    /** The last two are null when the next version has the same. */
    searchText: text('search_text'),
    codes: text('codes'),
  },
  (table) => [
    primaryKey({ columns: [table.catalogId, table.endedAt, table.rowId] }),
    index('record_versions_row').on(table.rowId, table.endedAt),
  ],
)

/**
 * The different words of the names and aliases of each catalog; see `search/index/word-index.ts`. Stored without row
 * ids. Three more tables of the word index are virtual, so only migrations can define them: `records_search`, and
 * `records_terms` and `records_entries`, which read its tokens.
 */
export const searchWords = sqliteTable(
  'search_words',
  {
    catalogId: integer('catalog_id').notNull(),
    word: text('word').notNull(),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.word] })],
)

/**
 * How far the scheduled run has come with each catalog. Belongs to one database and does not move. A trigger on
 * `catalogs` deletes the row.
 */
export const catalogUpkeep = sqliteTable('catalog_upkeep', {
  catalogId: integer('catalog_id').primaryKey(),
  /** The last word that was looked up; empty when all were. */
  sweptWord: text('swept_word').notNull().default(''),
  /** When looking up the words began last. */
  sweptAt: integer('swept_at').notNull().default(0),
  /** `written_at` of the last write that was looked at; 0 when all were. */
  sweptWrite: integer('swept_write').notNull().default(0),
})

/**
 * One row per committed write. The batches endpoint shows those of CSV uploads. A write opens its row first
 * and closes it last, in the same transaction. Its triggers stop a stale or shrinking write, or one beyond
 * a quota, as a whole. The primary key stops a retry of a write that was committed.
 */
export const batches = sqliteTable(
  'batches',
  {
    batchId: text('batch_id').primaryKey(),
    catalogId: integer('catalog_id').notNull(),
    /** `csv`, `json` or `restore`. */
    format: text('format').notNull(),
    /** `upsert`, `reconcile` or `restore`. */
    mode: text('mode').notNull(),
    fileName: text('file_name'),
    sizeBytes: integer('size_bytes').notNull(),
    /** Client id or user. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    warnings: integer('warnings').notNull(),
    /** `changed_at` of the catalog after the write, and `updated_at` of the records that it changes. */
    writtenAt: integer('written_at').notNull(),
    revisionBefore: integer('revision_before').notNull(),
    expectedRevision: integer('expected_revision'),
    activeBefore: integer('active_before').notNull(),
    /** Revision that a restore went back to. */
    restoredRevision: integer('restored_revision'),
    /** Share of the active records, in whole percent, that the write may deactivate; null when no guard applies. */
    maxShrink: integer('max_shrink'),
    /** JSON: `[[slot, records], …]` of the fields that the emptied guard does not let pass. Not empty, it stops the write. */
    emptied: text('emptied'),
    /** The `Idempotency-Key` of the request, and the digest of its body and its parameters. */
    idempotencyKey: text('idempotency_key'),
    requestDigest: text('request_digest'),
    /** `next_number` of the catalog before the write: the numbers of inserted records start there. */
    firstNumber: integer('first_number').notNull().default(0),
    /** Records sent; for a restore, the records that it changes. */
    total: integer('total').notNull(),
    inserted: integer('inserted').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    reactivated: integer('reactivated').notNull().default(0),
    /**
     * Records that a reconcile left out; for a restore, the records that it deactivated. What is told is `active_lost`.
     */
    deactivated: integer('deactivated').notNull().default(0),
    /**
     * Records that were active before and not after, either left out or sent as inactive. The shrink guard reads it.
     */
    activeLost: integer('active_lost').notNull().default(0),
    revision: integer('revision').notNull().default(0),
    activeAfter: integer('active_after').notNull().default(0),
    /** Bytes that the write added to its catalog; negative when records became smaller. A trigger checks the quota. */
    grownBytes: integer('grown_bytes').notNull().default(0),
  },
  (table) => [
    index('batches_latest').on(table.catalogId, table.format, table.writtenAt),
    // All writes in their order. The first write of a revision made it.
    index('batches_revision').on(table.catalogId, table.revision, table.writtenAt),
    // Of two requests with one key, one writes.
    uniqueIndex('batches_idempotency')
      .on(table.catalogId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    // From the time of a change to the write that made it.
    index('batches_written').on(table.catalogId, table.writtenAt),
  ],
)

/**
 * Uploads that were not written at once: what was refused, and files that wait to be written. Uploads that were written
 * are in `batches`. One that is written later has its `upload_id` as `batch_id` there. The bytes of a file that waits
 * are in R2, under its id (see `catalog/uploads/held-files.ts`).
 */
export const uploads = sqliteTable(
  'uploads',
  {
    uploadId: text('upload_id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    type: text('type').notNull(),
    /** The database's own time, comparable with `batches.written_at`. */
    notedAt: integer('noted_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Client id or user. */
    createdBy: text('created_by').notNull(),
    /** 1 for client credentials. */
    byProgram: integer('by_program').notNull(),
    mode: text('mode').notNull(),
    /** Null if the body could not be read. */
    format: text('format'),
    fileName: text('file_name'),
    /** Of the file, unpacked; null if the body could not be read. */
    sizeBytes: integer('size_bytes'),
    /** `held` as long as the file waits. A file whose time is over counts as expired before the scheduled run. */
    outcome: text('outcome').notNull(),
    message: text('message').notNull(),
    errorCount: integer('error_count').notNull(),
    /** JSON list of the most frequent errors, without values. */
    errors: text('errors').notNull(),
    /** Of the catalog at that time; of the write once it is approved. */
    revision: integer('revision').notNull(),
    requestId: text('request_id').notNull(),
    /** How often the same refusal came again. */
    repeated: integer('repeated').notNull().default(0),
    lastAt: integer('last_at').notNull(),
    /** When the file ended to wait. */
    endedAt: integer('ended_at'),
    /** When this row may be deleted. */
    expiresAt: integer('expires_at').notNull(),
    /** The rest is null unless the file waits or has waited. `dry_run` or `shrink_guard`. */
    heldFor: text('held_for'),
    heldUntil: integer('held_until'),
    confirmShrink: integer('confirm_shrink', { mode: 'boolean' }),
    maxShrink: integer('max_shrink'),
    maxEmptied: integer('max_emptied'),
    /** Names of fields, separated by commas. */
    allowEmptied: text('allow_emptied'),
    /** False, not null, for a file that never waited. */
    keepMissing: integer('keep_missing', { mode: 'boolean' }).notNull().default(false),
    /** Of the body. */
    contentType: text('content_type'),
    /** Of the body, unpacked. They count for the quota as long as the file waits. */
    storedBytes: integer('stored_bytes'),
    /** Of the same, hexadecimal. */
    sha256: text('sha256'),
  },
  (table) => [
    index('uploads_latest').on(table.workspaceId, table.type, table.notedAt),
    index('uploads_expiry').on(table.expiresAt),
    index('uploads_held').on(table.workspaceId, table.type, table.heldUntil).where(sql`outcome = 'held'`),
  ],
)
