import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf, withinCatalog } from '#worker/storage/catalog-scope'

/** The value at a slot of the stored form. Absent ones are the number 0, or null. */
export const storedValue = (slot: number): SQL => sql`(data ->> ${sql.raw(String(slot))})`

/** All rows of a catalog, read in the order of the table: the end of a statement, which may go on with `and`. */
export const catalogRows = (scope: CatalogKey): SQL =>
  sql`records not indexed where ${withinCatalog(sql`row_id`, scope)} and catalog_id = ${catalogIdOf(scope)}`
