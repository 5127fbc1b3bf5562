/** The search index, which a backup does not contain: the Worker's own statements that fill it. */
import { type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { indexRecords, listWordsAgain } from '#worker/search/index/word-index'

const dialect = new SQLiteSyncDialect()

const onOneLine = (statement: SQL): string =>
  dialect
    .sqlToQuery(statement.inlineParams())
    .sql.replaceAll(
      /'([\t\n\r\f\b]+)'/g,
      (_, text: string) => `char(${Array.from(text, (each) => each.charCodeAt(0))})`,
    )
    .replaceAll(/\s+/g, ' ')

/**
 * The statement that adds records to the full-text index, on one line.
 *
 * @param condition on `records`, for records that are not in the index
 */
export const indexStatement = (condition: string): string => onOneLine(indexRecords(sql.raw(condition)))

/** The statements that fill the index of a catalog without index entries, each on one line. */
export const indexStatements = (catalogId: number): string[] => [
  `${indexStatement(`catalog_id = ${catalogId}`)} ORDER BY row_id;`,
  ...listWordsAgain(sql.raw(String(catalogId))).map((statement) => `${onOneLine(statement)};`),
]
