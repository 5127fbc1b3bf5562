import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What searches look up, made from the rows of `records`; in every database that holds workspaces. It does not move with a
 * workspace: the new database makes it again.
 */

/**
 * The words of each catalog and their places; see `search/index/word-index.ts`. Stored without row ids. Two more tables of
 * the word index are virtual, so they are in the migrations only: `records_search` and `records_terms`.
 */
export const searchWords = sqliteTable(
  'search_words',
  {
    catalogId: integer('catalog_id').notNull(),
    word: text('word').notNull(),
    /** A letter; see `PLACES`. */
    place: text('place').notNull(),
    /** 1 when a list of `search_word_lists` has the word; see `search/index/list-words.ts`. */
    listed: integer('listed').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.catalogId, table.word, table.place] }),
    index('search_words_unlisted').on(table.catalogId).where(sql`listed = 0`),
  ],
)

/**
 * The same words in lists; see `search/index/word-index.ts`. Stored without row ids. The trigger
 * `search_word_lists_words` adds the words of a new list to `search_words`.
 */
export const searchWordLists = sqliteTable(
  'search_word_lists',
  {
    catalogId: integer('catalog_id').notNull(),
    number: integer('number').notNull(),
    /** JSON list of words, each after the letter of its place in upper case. */
    words: text('words').notNull(),
  },
  (table) => [primaryKey({ columns: [table.catalogId, table.number] })],
)

/**
 * The ids and codes of records, as partner search compares them. Triggers keep them, so no code path can forget to. The
 * triggers `catalogs_codes_added` and `record_code_values_add` say which fields are codes; see `Field.isCode`. Stored
 * without row ids.
 *
 * An id whose ASCII letters are all small, or all capitals, is not here if SQL can fold it: `records_id` finds it.
 */
export const recordCodes = sqliteTable(
  'record_codes',
  {
    catalogId: integer('catalog_id').notNull(),
    code: text('code').notNull(),
    rowId: integer('row_id').notNull(),
    /** 0: SQL has folded the code; 1: it waits for the Worker; 2: the Worker has folded it (`search/index/fold-codes.ts`). */
    folding: integer('folding').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.catalogId, table.code, table.rowId] }),
    index('record_codes_folding').on(table.folding, table.rowId).where(sql`folding > 0`),
  ],
)

/**
 * Catalogs from before `record_codes`, as far as the scheduled run has not added their codes yet (see
 * `search/index/add-codes.ts`). Triggers add those of later writes.
 */
export const uncodedCatalogs = sqliteTable('uncoded_catalogs', {
  catalogId: integer('catalog_id').primaryKey(),
  /** The step begins with this row. */
  nextRowId: integer('next_row_id').notNull(),
})
