import { type SQL, sql } from 'drizzle-orm'

/**
 * The search index of records that are copied or deleted. It is not copied: its entries hold the ids of rows and catalogs,
 * which are others in another database. This is the one place of a move that knows how it is made.
 */

/** @param rowIds of `records`, as a subquery */
export const unindexRows = (rowIds: SQL): SQL => sql`delete from records_search where rowid in (${rowIds})`

/** @param rowIds of rows of `records` that are in no index, as a subquery */
export const indexRows = (rowIds: SQL): SQL[] => [
  sql`insert into records_search (rowid, search_text)
    select row_id, search_text from records where row_id in (${rowIds})`,
]

/** Entries of the index among a range of row ids: one for each record. */
export const countIndexed = (range: (column: SQL) => SQL): SQL =>
  sql`(select count(*) from records_search_docsize where ${range(sql`id`)})`
