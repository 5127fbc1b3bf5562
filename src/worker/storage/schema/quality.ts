import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Data about the quality of a catalog. Times are milliseconds since the epoch. */

/** Searches without a match that users gave up, as normalized texts, with nothing about who searched. */
export const searchMisses = sqliteTable(
  'search_misses',
  {
    catalogId: integer('catalog_id').notNull(),
    /** The folded words, separated by spaces. */
    text: text('text').notNull(),
    reports: integer('reports').notNull().default(1),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
    /** Time until which it is hidden; otherwise 0. */
    hiddenUntil: integer('hidden_until').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.text] }), index('search_misses_age').on(table.lastAt)],
)

/** Accepted possible problems. They count as accepted until the record changes. */
export const acceptedProblems = sqliteTable(
  'accepted_problems',
  {
    catalogId: integer('catalog_id').notNull(),
    rowId: integer('row_id').notNull(),
    code: text('code').notNull(),
    /** `records.written_at` of the record when its problem was accepted. */
    writtenAt: integer('written_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.rowId, table.code] })],
)
