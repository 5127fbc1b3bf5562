import { type SQL, sql } from 'drizzle-orm'
import { indexRecords, unindexRecords } from '#search/word-index'

/**
 * The word index of records that are copied or deleted. It is not copied: its entries hold the ids of rows and catalogs,
 * which differ in another database.
 */

/** @param rowIds of `records`, as a subquery */
export const unindexRows = (rowIds: SQL): SQL => unindexRecords(sql`row_id in (${rowIds})`)

/**
 * @param catalog id of the catalog, as an expression
 * @param rowIds of rows of `records` that are in no index, as a subquery; a page of them
 */
export const indexRows = (catalog: SQL, rowIds: SQL): SQL[] =>
  // Few: the words come from the page, not from all of the catalog each time.
  indexRecords(catalog, sql`row_id in (${rowIds})`, 0)

/** The words of all catalogs of a workspace; when its records are gone, nobody needs them. */
export const forgetWords = (workspaceId: string, permitted: SQL): SQL =>
  sql`delete from search_words where ${permitted}
    and catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`

/** Entries of the index among a range of row ids: one for each record. */
export const countIndexed = (range: (column: SQL) => SQL): SQL =>
  sql`(select count(*) from records_search_docsize where ${range(sql`id`)})`
