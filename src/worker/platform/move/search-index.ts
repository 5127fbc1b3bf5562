import { type SQL, sql } from 'drizzle-orm'
import { indexRecords, unindexRecords } from '#worker/search/index/word-index'
import { int } from '#worker/storage/database'

/**
 * The search index of records that are copied or deleted. The index itself is not copied, because its entries hold
 * ids of rows and catalogs, which differ between databases. No other file of the move knows how the index is made.
 */

const LISTS_PER_STEP = 1000

/** @param rowIds of `records`, as a subquery */
export const unindexRows = (rowIds: SQL): SQL => unindexRecords(sql`row_id in (${rowIds})`)

/** @param rowIds of rows of `records` that are in no index, as a subquery; not more than a few */
export const indexRows = (catalog: SQL, rowIds: SQL): SQL[] =>
  indexRecords(catalog, sql`row_id in (${rowIds})`, sql`true`)

/** One row: how many of some rows of `records` have no entry in the index. */
export const countUnindexed = (rows: SQL): SQL<{ n: number }> =>
  sql`select count(*) as n from (select row_id from ${rows})
    where row_id not in (select id from records_search_docsize)`

const wordsOf = (workspaceId: string): SQL =>
  sql`search_words where catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`

/** Deletes some of the words of a workspace. */
export const purgeWords = (workspaceId: string): SQL =>
  sql`delete from search_words where (catalog_id, beginning) in (
    select catalog_id, beginning from ${wordsOf(workspaceId)} limit ${int(LISTS_PER_STEP)})`

export const hasWords = (workspaceId: string): SQL => sql`exists (select 1 from ${wordsOf(workspaceId)})`
