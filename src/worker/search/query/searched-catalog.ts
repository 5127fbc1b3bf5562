import { type SQL, sql } from 'drizzle-orm'

/** The catalog that a statement searches. */
export interface SearchedCatalog {
  /** An expression. */
  type: SQL
  /** An expression: the database may have to look up first whose catalog is meant. */
  workspace: SQL
}

/**
 * Common table expression `searched`, which every statement of a search begins with: one row, or none without a
 * catalog.
 */
export const searchedIn = ({ type, workspace }: SearchedCatalog): SQL =>
  sql`searched as materialized (select catalog_id from catalogs where workspace_id = ${workspace} and type = ${type})`

/** Id of the catalog that a statement searches. */
export const SEARCHED = sql`(select catalog_id from searched)`
