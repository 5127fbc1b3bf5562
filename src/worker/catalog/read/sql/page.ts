import { type SQL, sql } from 'drizzle-orm'
import { MAX_PAGE_BYTES } from '#shared/limits'
import type { RecordRow } from '#shared/records/stored-form'
import { type CatalogKey, catalogIdOf, withinCatalog } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'

/** Bytes of a record in an answer besides its stored form: the names of its fields, and those that are absent. */
const RECORD_OVERHEAD_BYTES = 600

/** A row of a page that has the total in each row. An empty page is one row without a record. */
export type FoundRow = { total: number } & (RecordRow | { record_id: null })

/** The approximate size of a record in an answer. The stored form has no names of fields. */
export const returnedBytes = sql`(octet_length(data) + ${sql.raw(String(RECORD_OVERHEAD_BYTES))})`

/**
 * The first rows of a page, until they hold `MAX_PAGE_BYTES`; at least one. Only keys and sizes are sorted.
 *
 * @param keys rows with a column `bytes`; each row of the page has their number as `key_count`
 */
export const withinPageBytes = (keys: SQL, order: SQL): SQL =>
  sql`select * from (select *, sum(bytes) over (order by ${order} rows unbounded preceding) - bytes as bytes_before,
      count(*) over () as key_count from (${keys})) where bytes_before < ${int(MAX_PAGE_BYTES)}`

/** All rows of a catalog, read in the order of the table: the end of a statement, which may go on with `and`. */
export const catalogRows = (catalogKey: CatalogKey): SQL =>
  sql`records not indexed where ${withinCatalog(sql`row_id`, catalogKey)} and catalog_id = ${catalogIdOf(catalogKey)}`
