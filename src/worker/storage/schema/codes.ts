import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The ids and codes of records, as partner search compares them. A write adds those of new records
 * (`catalog/write/sql/codes.ts`); triggers keep those of records that change. `Field.isCode` and the trigger
 * `record_code_values_add` say which fields are codes. Stored without row ids.
 *
 * An id whose ASCII letters are all small, or all capitals, is not here if SQL can fold it: `records_id` finds it.
 */
export const recordCodes = sqliteTable(
  'record_codes',
  {
    catalogId: integer('catalog_id').notNull(),
    code: text('code').notNull(),
    rowId: integer('row_id').notNull(),
    /**
     * 0: SQL has folded the code; 1: it waits for the Worker; 2: the Worker has folded it
     * (`search/index/fold-codes.ts`).
     */
    folding: integer('folding').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.catalogId, table.code, table.rowId] }),
    index('record_codes_folding').on(table.folding, table.rowId).where(sql`folding > 0`),
  ],
)

/**
 * Catalogs with records whose codes are not added yet: those from before `record_codes`, and what an earlier release
 * inserts. A trigger on `catalogs` adds a row for new records, and a write that adds their codes deletes it. The
 * scheduled run does the rest (see `search/index/add-codes.ts`).
 */
export const uncodedCatalogs = sqliteTable('uncoded_catalogs', {
  catalogId: integer('catalog_id').primaryKey(),
  /** The step begins with this row. */
  nextRowId: integer('next_row_id').notNull(),
})
