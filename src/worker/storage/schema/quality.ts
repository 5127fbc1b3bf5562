import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Data quality of a catalog, beside its records. Times are milliseconds since the epoch. */

/** Searches without a match that people gave up, as normalized texts: nothing about who searched. */
export const searchMisses = sqliteTable(
  'search_misses',
  {
    catalogId: integer('catalog_id').notNull(),
    /** The folded words with a space between them. */
    text: text('text').notNull(),
    reports: integer('reports').notNull().default(1),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
    /** Until when somebody has hidden it; 0 if nobody has. */
    hiddenUntil: integer('hidden_until').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.text] }), index('search_misses_age').on(table.lastAt)],
)

/** Possible problems of records that somebody has accepted. They count as accepted until the record changes. */
export const acceptedProblems = sqliteTable(
  'accepted_problems',
  {
    catalogId: integer('catalog_id').notNull(),
    rowId: integer('row_id').notNull(),
    code: text('code').notNull(),
    /** `records.written_at` of the record that was accepted. */
    writtenAt: integer('written_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.rowId, table.code] })],
)
