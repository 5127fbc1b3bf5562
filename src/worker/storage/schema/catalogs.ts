import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { RECORD_TYPES } from '#shared/records/record-type'
import { checkFlag, checkOneOf } from '#worker/storage/schema/checks'

/** Catalogs, in every database with workspaces. Times are milliseconds since the epoch. */

export const NO_EPOCH = '0'

/** One catalog of one workspace. Every write updates the counters, so that lists need not count. */
export const catalogs = sqliteTable(
  'catalogs',
  {
    catalogId: integer('catalog_id').primaryKey({ autoIncrement: true }),
    workspaceId: text('workspace_id').notNull(),
    type: text('type').notNull(),
    /** Grows by one with every write that changes anything. */
    revision: integer('revision').notNull().default(0),
    /** `batch_id` of the write that made the revision, at first `0`: a restored database reuses revision numbers. */
    epoch: text('epoch').notNull().default(NO_EPOCH),
    activeRecords: integer('active_records').notNull().default(0),
    totalRecords: integer('total_records').notNull().default(0),
    /** Time of the last write that changed anything. Always grows, even if a clock is set back. */
    writtenAt: integer('written_at').notNull().default(0),
    /** Number of the next new record within the catalog; see `records.row_id`. */
    nextNumber: integer('next_number').notNull().default(0),
    searchEnabled: integer('search_enabled', { mode: 'boolean' }).notNull().default(false),
    searchUpdatedAt: integer('search_updated_at'),
    /** Whether searches without a match are kept; see `search_misses`. */
    keepsMisses: integer('keeps_misses', { mode: 'boolean' }).notNull().default(true),
    /** Slots that have a value in any record, or had one, as bits; see `records.filled`. */
    usedSlots: integer('used_slots').notNull().default(0),
    /** Bytes of all records, as `recordBytes` counts them. */
    storedBytes: integer('stored_bytes').notNull().default(0),
    /** Bytes of all earlier versions, as `versionBytes` counts them. */
    versionBytes: integer('version_bytes').notNull().default(0),
    /** 1 if writes keep the versions that they end. Every write sets it from the configuration. */
    keepsVersions: integer('keeps_versions').notNull().default(1),
    /** Time of an integration's last write, or of the last approval of its upload, even if nothing changed. */
    lastSuccessAt: integer('last_success_at'),
    /** The oldest revision that a restore can go back to: every version that ended after it is kept. */
    historyFrom: integer('history_from').notNull().default(0),
    wordsPurgedAt: integer('words_purged_at').notNull().default(0),
    /** `written_at` of the last write that the scheduled run has processed; 0 if it has processed all. */
    writesPurgedUntil: integer('writes_purged_until').notNull().default(0),
  },
  (table) => [
    uniqueIndex('catalogs_workspace_type').on(table.workspaceId, table.type),
    checkOneOf('catalogs', 'type', RECORD_TYPES),
    checkFlag('catalogs', 'search_enabled'),
    checkFlag('catalogs', 'keeps_misses'),
    checkFlag('catalogs', 'keeps_versions'),
  ],
)

/** `records.position` of a record missing from a reconcile. */
export const LEFT_OUT_POSITION = -1

/** The current state of each record. Inactive records stay. */
export const records = sqliteTable(
  'records',
  {
    /**
     * `catalog_id * 2^36 + number`: the records of a catalog are next to each other, and a range of row IDs is a tenant
     * boundary in every index. There is room for 131,072 catalogs below 2^53.
     */
    rowId: integer('row_id').primaryKey(),
    catalogId: integer('catalog_id').notNull(),
    /** The record ID, exactly as sent. */
    recordId: text('record_id').notNull(),
    isActive: integer('is_active').notNull(),
    /** Time of the last write that changed the record: the unique `written_at` of its batch. */
    writtenAt: integer('written_at').notNull(),
    /** Position in the request of that write, or `LEFT_OUT_POSITION`. */
    position: integer('position').notNull(),
    /** Whether the record was active before that change; null if it did not exist. */
    wasActive: integer('was_active'),
    /** Bytes of the record before that change; 0 if it did not exist. */
    sizeBefore: integer('size_before').notNull().default(0),
    /** Slots of `data` that the change cleared, as in `filled`. */
    emptied: integer('emptied').notNull().default(0),
    /** 1 if that change altered `search_text` or `codes`. */
    textChanged: integer('text_changed').notNull(),
    nameLength: integer('name_length').notNull(),
    /** Folded name, display name and aliases; see `search-text.ts` in `shared/records/search`. */
    searchText: text('search_text').notNull(),
    /** Folded ID and codes; see `codeTextMaker`. */
    codes: text('codes').notNull(),
    /** The values of the type's fields as a JSON list; see `storedForm`. */
    data: text('data').notNull(),
    /** Slots of `data` that have a value, a bit each (`filledSlots`). */
    filled: integer('filled').notNull().default(0),
    /** The digest of `data` (`digestOf`), by which large writes find changed records. */
    digest: text('digest').notNull(),
    /** Names that users added to the record, and that writes do not change; see `added-names.ts`. */
    addedNames: text('added_names').notNull().default(''),
  },
  (table) => [
    uniqueIndex('records_id').on(table.catalogId, table.recordId),
    // The order of the list. Slim, so that a large offset is cheap.
    index('records_list').on(table.catalogId, table.isActive, table.writtenAt, table.position),
    checkFlag('records', 'is_active'),
    checkFlag('records', 'text_changed'),
    checkFlag('records', 'was_active'),
  ],
)

/**
 * Earlier states of records, added by the trigger `records_keep_version` when a write ends them. The current state is
 * only in `records`. Rows are ordered by catalog and time, so the changes of one write are one range.
 */
export const recordVersions = sqliteTable(
  'record_versions',
  {
    catalogId: integer('catalog_id').notNull(),
    /** `written_at` of the write that ended this version. */
    endedAt: integer('ended_at').notNull(),
    rowId: integer('row_id').notNull(),
    /** The next seven are those of `records` in this version. */
    writtenAt: integer('written_at').notNull(),
    isActive: integer('is_active').notNull(),
    wasActive: integer('was_active'),
    data: text('data').notNull(),
    filled: integer('filled').notNull().default(0),
    digest: text('digest').notNull(),
    addedNames: text('added_names').notNull().default(''),
    /** The last two are null if the next version has the same values. */
    searchText: text('search_text'),
    codes: text('codes'),
  },
  (table) => [
    primaryKey({ columns: [table.catalogId, table.endedAt, table.rowId] }),
    index('record_versions_row').on(table.rowId, table.endedAt),
    // Finds the next version with texts.
    index('record_versions_texts').on(table.rowId, table.endedAt).where(sql`search_text is not null`),
    checkFlag('record_versions', 'is_active'),
    checkFlag('record_versions', 'was_active'),
  ],
)

/**
 * The distinct words of each catalog's names and aliases (`search/index/word-index.ts`): a JSON list per two first
 * letters. The virtual tables `records_search` and `records_terms` are only defined in migrations.
 */
export const searchWords = sqliteTable(
  'search_words',
  {
    catalogId: integer('catalog_id').notNull(),
    beginning: text('beginning').notNull(),
    words: text('words').notNull(),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.beginning] })],
)
