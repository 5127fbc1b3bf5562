import { type SQL, sql } from 'drizzle-orm'
import { MAX_PAGE_BYTES } from '#shared/limits'
import type { RecordRow } from '#shared/records/stored-form'
import { type CatalogKey, catalogIdOf, withinCatalog } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'

/** Bytes of a record in a response in addition to its stored form: names of fields, including absent ones. */
const RECORD_OVERHEAD_BYTES = 600

/** A row of a page that has the total in each row. An empty page is one row without a record. */
export type FoundRow = { total: number } & (RecordRow | { record_id: null })

/** The approximate size of a record in a response. The stored form does not contain the names of fields. */
export const returnedBytes = sql`(octet_length(data) + ${sql.raw(String(RECORD_OVERHEAD_BYTES))})`

/**
 * The first rows of a page up to `MAX_PAGE_BYTES`, but at least one. Sorts only keys and sizes.
 *
 * @param keys rows with a column `bytes`; each row of the page has the number of these rows as `key_count`
 */
export const withinPageBytes = (keys: SQL, order: SQL): SQL =>
  sql`select * from (select *, sum(bytes) over (order by ${order} rows unbounded preceding) - bytes as bytes_before,
      count(*) over () as key_count from (${keys})) where bytes_before < ${int(MAX_PAGE_BYTES)}`

/** All rows of a catalog, read in the order of the table: the end of a statement, to be continued with `and`. */
export const catalogRows = (catalogKey: CatalogKey): SQL =>
  sql`records not indexed where ${withinCatalog(sql`row_id`, catalogKey)} and catalog_id = ${catalogIdOf(catalogKey)}`
