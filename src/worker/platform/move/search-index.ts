import { type SQL, sql } from 'drizzle-orm'
import { keysOf } from '#shared/text/keys-of'
import { indexRecords, unindexRecords } from '#worker/search/index/word-index'
import { int } from '#worker/storage/database'

/**
 * The search index of records that are copied or deleted. The index itself is not copied, because its entries hold
 * ids of rows and catalogs, which differ between databases. No other file of the move knows how the index is made.
 */

const WORDS_PER_STEP = 5000

/** @param rowIds of `records`, as a subquery */
export const unindexRows = (rowIds: SQL): SQL => unindexRecords(sql`row_id in (${rowIds})`)

/** Removes the codes of records. Before these are replaced, because a replacement runs no triggers of deletions. */
export const removeCodes = (rowIds: SQL): SQL =>
  sql`delete from record_code_values where row_id in (${rowIds})`

/** The codes of records that are new in this database. */
export const addCodesOf = (rowIds: SQL): SQL =>
  sql`insert into record_code_values (row_id, catalog_id, record_id, data)
    select row_id, catalog_id, record_id, data from record_code_values where row_id in (${rowIds})`

/** @param rowIds of rows of `records` that are in no index, as a subquery; not more than a few */
export const indexRows = (catalog: SQL, rowIds: SQL): SQL[] =>
  indexRecords(catalog, sql`row_id in (${rowIds})`, sql`true`)

/** Entries of the index among a range of row ids: one for each record. */
export const countIndexed = (range: (column: SQL) => SQL): SQL =>
  sql`(select count(*) from records_search_docsize where ${range(sql`id`)})`

/** The tables with the words and the codes of catalogs, with their keys. */
const WORD_TABLES = {
  search_words: sql.raw('catalog_id, word, place'),
  search_word_lists: sql.raw('catalog_id, number'),
  record_codes: sql.raw('catalog_id, code, row_id'),
} as const

const WORD_TABLE_NAMES = keysOf(WORD_TABLES)

const wordRows = (table: keyof typeof WORD_TABLES, workspaceId: string): SQL =>
  sql`${sql.identifier(table)} where catalog_id in (select catalog_id from catalogs where workspace_id = ${workspaceId})`

export const purgeCopiedWords = (workspaceId: string, permitted: SQL): SQL[] =>
  WORD_TABLE_NAMES.map(
    (table) => sql`delete from ${sql.identifier(table)} where (${WORD_TABLES[table]}) in (
      select ${WORD_TABLES[table]} from ${wordRows(table, workspaceId)} and ${permitted} limit ${int(WORDS_PER_STEP)})`,
  )

export const hasWords = (workspaceId: string): SQL =>
  sql`(${sql.join(
    WORD_TABLE_NAMES.map((table) => sql`exists (select 1 from ${wordRows(table, workspaceId)})`),
    sql` or `,
  )})`
